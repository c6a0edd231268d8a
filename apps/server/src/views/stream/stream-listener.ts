import { type Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type ChipMatcher } from '../../data/chips/chips-match.js';
import { type StreamPage } from './stream-pages.service.js';
import { textOf } from './stream-renderer.service.js';
import { type EndReason, type StreamRow } from './stream.types.js';

export interface ListenerOptions {
  caller: KnownCaller;
  /** Unix seconds. */
  now: () => number;
  isWanted: (row: StreamRow) => boolean;
  chips?: ChipMatcher;
  /** The stream starts after this event. */
  position: number;
  timeoutMs: number;
  /** Called if events could not be read; the read is retried. */
  onFailure: (error: unknown) => void;
  /** Returns the events after `id`; null while there are none. */
  pageAfter: (id: number) => Promise<StreamPage | null>;
}

const TRY_AGAIN_MS = 1000;

/**
 * One client: reads page after page as fast as the client accepts them, and waits for more. At most one page is being
 * sent to the client, so that a slow one uses little memory; a client that reads nothing for too long is disconnected.
 */
export class StreamListener {
  /** Updated by each check of the credential. */
  caller: KnownCaller;
  private position: number;
  private wakeUp: (() => void) | undefined;
  private isBehind = true;
  private isOver = false;

  constructor(
    private readonly output: Writable,
    private readonly options: ListenerOptions,
  ) {
    ({ caller: this.caller, position: this.position } = options);
    output.once('close', () => this.detach());
  }

  /** Signals that there may be new events. */
  wake(): void {
    this.isBehind = true;
    this.wakeUp?.();
  }

  /** Runs until the client disconnects or the stream is ended. Never rejects. */
  async run(): Promise<void> {
    while (!this.isOver) {
      if (!this.isBehind) await new Promise<void>((resolve) => (this.wakeUp = resolve));
      this.isBehind = false;
      try {
        await this.catchUp();
      } catch (error) {
        this.options.onFailure(error);
        // Random, so that listeners do not retry at the same time.
        await pause(TRY_AGAIN_MS * (1 + Math.random()));
        this.isBehind = true;
      }
    }
  }

  /**
   * Sends a comment, so that proxies do not close a silent connection; with the position, which events for other
   * clients also advance.
   */
  beat(): void {
    if (!this.isOver && !this.output.writableNeedDrain) this.output.write(`:\nid: ${String(this.position)}\n\n`);
  }

  /** Sends the reason to the client and ends the stream, without waiting for a client that does not read. */
  end(reason: EndReason): void {
    if (this.isOver) return;
    this.output.end(textOf('end', { ...this.frame(), reason }));
    this.detach();
    const { output } = this;
    const giveUp = setTimeout(() => output.destroy(), this.options.timeoutMs).unref();
    output.once('close', () => clearTimeout(giveUp));
  }

  /** Requests the client to reload its data, because events are missing. Continues after `position`. */
  async resync(reason: string, position: number): Promise<void> {
    this.position = position;
    await this.write(textOf('resync', { ...this.frame(), reason }, position));
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const page = this.isOver ? null : await this.options.pageAfter(this.position);
      if (page === null) return;
      const text = await this.textOf(page);
      // Each event carries its position; events that are not for this client are skipped.
      this.position = page.rows.at(-1)!.id;
      if (text !== '') await this.write(text);
    }
  }

  private async textOf(page: StreamPage): Promise<string> {
    const { chips, isWanted } = this.options;
    const texts = await page.textsFor(this.caller);
    const targets = chips === undefined ? undefined : await page.targets();
    return page.rows
      .map((row, place) => {
        if (!isWanted(row)) return '';
        if (chips !== undefined && row.metricId !== null) {
          const target = targets?.get(row.metricId);
          if (target === undefined || !chips(target)) return '';
        }
        return texts[place] ?? '';
      })
      .join('');
  }

  private async write(text: string): Promise<void> {
    if (this.isOver || this.output.write(text)) return;
    const isTaken = await new Promise<boolean>((resolve) => {
      const timeout = setTimeout(() => done(false), this.options.timeoutMs);
      const onDrain = () => done(true);
      const done = (isDrained: boolean) => {
        clearTimeout(timeout);
        this.output.off('drain', onDrain);
        this.output.off('close', onDrain);
        resolve(isDrained);
      };
      this.output.once('drain', onDrain);
      this.output.once('close', onDrain);
    });
    if (!isTaken) this.end('too_slow');
  }

  private detach(): void {
    this.isOver = true;
    this.wake();
  }

  private frame(): { timestamp: number; org_id: number } {
    return { timestamp: Math.floor(this.options.now()), org_id: this.caller.org.id };
  }
}
