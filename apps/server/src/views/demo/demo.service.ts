import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { Clock } from '../../common/clock.js';
import { type AdvisoryLock, AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { messageOf } from '../../common/errors/message-of.js';
import { type Org } from '../../people/org/org.types.js';
import { floorToSlot, SLOT_SECONDS } from './demo-feed.js';
import { DemoFeedsService, type Feeding } from './demo-feeds.service.js';
import { DemoHistoryService, type LogProgress } from './demo-history.service.js';
import { pause } from './demo-pause.js';
import { DemoResetService } from './demo-reset.service.js';
import { DemoSenderService, SENDING_DELAY_SECONDS } from './demo-sender.service.js';
import { LiveDemosService } from './live-demos.service.js';

/** First key of the advisory lock, the second is the organisation: one process feeds a demo. */
const LOCK_SPACE = DATABASE_LOCKS.demoFeed.number;

/** Interval of checks for demos whose feeding process has ended. */
const WATCH_EVERY_MS = 60_000;

/** Makes demo organisations live: sends their history once, then a point per series and minute, like a sender. */
@Injectable()
export class DemoService implements OnModuleDestroy {
  private readonly logger = new Logger(DemoService.name);
  private readonly stopping = new AbortController();
  /** By organisation. */
  private readonly feeding = new Map<number, Promise<void>>();
  private watching: Promise<void> | undefined;
  /** Histories are sent sequentially, so that the first one is complete soon. */
  private histories: Promise<void> = Promise.resolve();

  constructor(
    private readonly demos: LiveDemosService,
    private readonly feeds: DemoFeedsService,
    private readonly history: DemoHistoryService,
    private readonly sender: DemoSenderService,
    private readonly reset: DemoResetService,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts to feed every demo organisation that no other process feeds, and takes over those that others release. `say`
   * receives the progress of the history.
   */
  async start(logProgress: LogProgress): Promise<void> {
    await this.begin(logProgress);
    this.watching = this.watch(logProgress);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.watching;
    await Promise.all(this.feeding.values());
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async watch(logProgress: LogProgress): Promise<void> {
    while (!this.isStopping()) {
      await pause(WATCH_EVERY_MS, this.stopping.signal);
      if (this.isStopping()) return;
      try {
        await this.begin(logProgress);
      } catch (error) {
        this.logger.warn(`Demo organisations could not be looked up: ${messageOf(error)}`);
      }
    }
  }

  private async begin(logProgress: LogProgress): Promise<void> {
    for (const org of await this.demos.list()) {
      if (this.feeding.has(org.id)) continue;
      const lock = await this.locks.tryAcquire(LOCK_SPACE, org.id);
      if (!lock) continue;
      const feeding = this.feed(org, lock, logProgress).finally(() => this.feeding.delete(org.id));
      this.feeding.set(org.id, feeding);
    }
  }

  private async feed(org: Org, lock: AdvisoryLock, logProgress: LogProgress): Promise<void> {
    try {
      // The position in the queue is taken before the first await: the oldest organisation comes first.
      const sending = this.histories.then(() => this.bringUpToDate(org, logProgress));
      this.histories = sending.then(
        () => undefined,
        () => undefined,
      );
      let feeding = await sending;
      while (feeding && !this.isStopping() && !lock.lost.aborted) {
        await this.untilNextSlotIsOver();
        if (this.isStopping()) break;
        if (await this.demos.isGone(org.id)) break;
        if (feeding.isPublic && (await this.reset.runIfScheduled(org.id))) {
          const { labelledUpTo } = feeding;
          feeding = await this.feeds.open(org);
          feeding.labelledUpTo = Math.max(feeding.labelledUpTo, labelledUpTo);
          await this.history.finish(feeding, this.stopping.signal);
        }
        await this.sender.send(feeding, this.sender.newestSlot(), this.stopping.signal);
      }
    } catch (error) {
      if (!this.isStopping()) this.logger.error(`The demo of organisation ${String(org.id)} has stopped`, error);
    } finally {
      await lock.release();
    }
  }

  /** Null if the organisation was deleted in the meantime: others may have been ahead of it for minutes. */
  private async bringUpToDate(org: Org, logProgress: LogProgress): Promise<Feeding | null> {
    if (await this.demos.isGone(org.id)) return null;
    const feeding = await this.feeds.open(org);
    await this.history.send(feeding, logProgress, this.stopping.signal);
    return (await this.demos.isGone(org.id)) ? null : feeding;
  }

  private async untilNextSlotIsOver(): Promise<void> {
    const now = this.clock.now();
    await pause((floorToSlot(now) + SLOT_SECONDS + SENDING_DELAY_SECONDS - now) * 1000, this.stopping.signal);
  }
}
