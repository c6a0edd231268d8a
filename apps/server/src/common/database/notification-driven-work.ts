import { Inject, Optional } from '@nestjs/common';
import { RecurringWork, type Rhythm } from '../recurring-work.js';
import { DatabaseNotifications } from './notifications.js';

/** The work must not occupy a core: a round is followed by an equally long pause, a long round by a longer one. */
const LONG_MS = 250;
const REST_FACTOR = 3;

/**
 * Recurring work on rows that other code writes: a notification of the database starts it when they are committed. It
 * also checks at intervals, since notifications may be lost. Rows that arrive during a round are processed in the next.
 */
export abstract class NotificationDrivenWork extends RecurringWork {
  private tookMs = 0;

  /** Injected as a property, so that no subclass has to pass it on. Undefined if Nest did not create the object. */
  @Optional()
  @Inject(DatabaseNotifications)
  protected readonly notifications?: DatabaseNotifications;

  /**
   * @param channel of the notifications
   * @param longestRestMs after a round that took long
   */
  protected constructor(
    rhythm: Rhythm,
    private readonly channel: string,
    private readonly longestRestMs: number,
  ) {
    super(rhythm);
  }

  override onApplicationBootstrap(): unknown {
    const started = super.onApplicationBootstrap();
    if (this.isWanted()) this.notifications?.listen(this.channel, () => this.runSoon());
    return started;
  }

  /** One round, without measuring it. */
  protected abstract work(): Promise<void>;

  override async run(): Promise<void> {
    const began = performance.now();
    try {
      await this.work();
    } finally {
      this.tookMs = performance.now() - began;
    }
  }

  protected override restMs(): number {
    return this.tookMs < LONG_MS ? this.tookMs : Math.min(this.longestRestMs, this.tookMs * REST_FACTOR);
  }
}
