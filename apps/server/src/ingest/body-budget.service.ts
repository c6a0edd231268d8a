import { Injectable } from '@nestjs/common';
import { IngestConfig } from './ingest.config.js';
import { IngestBusyError } from './ingest.errors.js';

/** Part of the budget that may be held by bodies whose sender is not known yet (their token is inside the body). */
const STRANGERS_PART = 0.25;

/**
 * Bounds the bytes of all bodies that are being received, decompressed and parsed at one moment, so that many senders at
 * once cannot take more memory than the operator gave. A body that is alone always gets what it needs: it could not be
 * taken at any other time, and its own limits bound it.
 */
@Injectable()
export class BodyBudget {
  private held = 0;
  private heldByStrangers = 0;
  private readonly limit: number;
  private readonly strangersLimit: number;

  constructor(config: IngestConfig) {
    this.limit = config.maxHeldBytes;
    this.strangersLimit = config.maxHeldBytes * STRANGERS_PART;
  }

  /** Bytes held at this moment. */
  get heldBytes(): number {
    return this.held;
  }

  /** The share of one body: nothing at first. It must be released, whatever becomes of the body. */
  open(): BodyShare {
    return new BodyShare((bytes, own, isStranger) => this.change(bytes, own, isStranger));
  }

  private change(bytes: number, own: number, isStranger: boolean): void {
    if (bytes > 0) {
      if (exceeds(this.held, bytes, own, this.limit)) throw new IngestBusyError('memory_full');
      if (isStranger && exceeds(this.heldByStrangers, bytes, own, this.strangersLimit)) {
        throw new IngestBusyError('memory_full');
      }
    }
    this.held += bytes;
    if (isStranger) this.heldByStrangers += bytes;
  }
}

const exceeds = (held: number, bytes: number, own: number, limit: number): boolean =>
  held > own && held + bytes > limit;

/** What one body holds of the budget. */
export class BodyShare {
  private bytes = 0;
  private isStranger = true;

  constructor(private readonly change: (bytes: number, own: number, isStranger: boolean) => void) {}

  /** Holds more. @throws IngestBusyError the budget is used up; what was held stays held */
  take(bytes: number): void {
    this.change(bytes, this.bytes, this.isStranger);
    this.bytes += bytes;
  }

  /** Holds less. */
  give(bytes: number): void {
    this.change(-bytes, this.bytes, this.isStranger);
    this.bytes -= bytes;
  }

  /** The sender has shown a valid token: from now on the whole budget is open to it. */
  identified(): void {
    const { bytes } = this;
    this.give(bytes);
    this.isStranger = false;
    // What is held already was allowed to a stranger, so it is never too much.
    this.change(bytes, Infinity, false);
    this.bytes = bytes;
  }

  /** Gives everything back; may be called again. */
  release(): void {
    if (this.bytes > 0) this.give(this.bytes);
  }
}
