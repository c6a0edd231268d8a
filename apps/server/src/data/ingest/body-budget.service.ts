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
    return new BodyShare(this);
  }

  /** For BodyShare alone: whether `bytes` more may be held by one that holds `own`. */
  hasRoomFor(bytes: number, own: number, isStranger: boolean): boolean {
    if (exceeds(this.held, bytes, own, this.limit)) return false;
    return !isStranger || !exceeds(this.heldByStrangers, bytes, own, this.strangersLimit);
  }

  /** For BodyShare alone. */
  change(bytes: number, isStranger: boolean): void {
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

  constructor(private readonly budget: BodyBudget) {}

  /** Holds more. @throws IngestBusyError the budget is used up; what was held stays held */
  reserve(bytes: number): void {
    if (!this.tryTake(bytes)) throw new IngestBusyError('memory_full');
  }

  /** Holds more, unless the budget is used up: false. */
  tryTake(bytes: number): boolean {
    if (!this.budget.hasRoomFor(bytes, this.bytes, this.isStranger)) return false;
    this.budget.change(bytes, this.isStranger);
    this.bytes += bytes;
    return true;
  }

  /** Holds less. */
  give(bytes: number): void {
    this.budget.change(-bytes, this.isStranger);
    this.bytes -= bytes;
  }

  /** The sender has shown a valid token: from now on the whole budget is open to it. */
  identified(): void {
    this.budget.change(-this.bytes, this.isStranger);
    this.isStranger = false;
    this.budget.change(this.bytes, this.isStranger);
  }

  /** Gives everything back; may be called again. */
  release(): void {
    this.give(this.bytes);
  }
}
