import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { type PointBatch, type PointLog, PointLogFullError } from '#libs/point-log';
import { type SeriesStore } from '#libs/series';
import { Clock } from '../common/clock.js';
import { type AdvisoryLock, AdvisoryLocks } from '../common/database/advisory-locks.js';
import { MetricRegistry } from '../metric/metric-registry.service.js';
import { OrgService } from '../org/org.service.js';
import { type Org } from '../org/org.types.js';
import { Onboarding } from '../progress/onboarding.service.js';
import { POINT_LOG, SERIES_STORE } from '../storage/storage.types.js';
import { DemoFeed, floorToSlot, SLOT_SECONDS } from './demo-feed.js';

/** First key of the advisory lock, the second is the organisation: one process feeds a demo. */
const LOCK_SPACE = 0x706c_0005;

const HISTORY_SECONDS = 10 * 86_400;
/** Slots of all series that go into one record of the log while history is sent. */
const CHUNK_SECONDS = 4 * 3600;
/** Older points are history: they are recorded, never alerted. */
const LIVE_SECONDS = 3600;
/** Senders report a slot a moment after it is over. */
const SENDING_DELAY_SECONDS = 1;
const FULL_LOG_PAUSE_MS = 200;
const LEARNING_POLL_MS = 1000;
const PROGRESS_STEP_PERCENT = 10;

type Say = (line: string) => void;

/** Makes demo organisations live: history once, then a point per series and minute, as a sender would. */
@Injectable()
export class DemoService implements OnModuleDestroy {
  private readonly logger = new Logger(DemoService.name);
  private readonly stopping = new AbortController();
  private readonly feeding: Promise<void>[] = [];

  constructor(
    private readonly orgs: OrgService,
    private readonly onboarding: Onboarding,
    private readonly registry: MetricRegistry,
    @Inject(POINT_LOG) private readonly log: PointLog,
    @Inject(SERIES_STORE) private readonly store: SeriesStore,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {}

  /** Begins to feed every demo organisation that no other process feeds. `say` gets the progress of the history. */
  async start(say: Say): Promise<void> {
    for (const org of await this.orgs.all()) {
      if (!org.isDemo) continue;
      const lock = await this.locks.tryAcquire(LOCK_SPACE, org.id);
      if (lock) this.feeding.push(this.feed(org, lock, say));
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.feeding);
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async feed(org: Org, lock: AdvisoryLock, say: Say): Promise<void> {
    try {
      const feed = await this.open(org);
      await this.sendHistory(org, feed, say);
      while (!this.isStopping() && !lock.lost.aborted) {
        await this.untilNextSlotIsOver();
        if (!this.isStopping()) await this.send(feed, this.newestSlot());
      }
    } catch (error) {
      if (!this.isStopping()) this.logger.error(`The demo of organisation ${String(org.id)} has stopped`, error);
    } finally {
      await lock.release();
    }
  }

  private async open(org: Org): Promise<DemoFeed> {
    const feed = new DemoFeed(org.createdAt.getTime() / 1000, org.timezone, this.clock.now() - HISTORY_SECONDS);
    const { ids } = await this.registry.resolve(org.id, 'http', feed.headers);
    const extents = await Promise.all(Array.from(ids, (id) => this.store.extent(id)));
    feed.attach(
      ids,
      extents.map((extent) => extent?.last ?? null),
    );
    return feed;
  }

  /** What is missing up to now: everything on the first start, the time of standing still on later ones. */
  private async sendHistory(org: Org, feed: DemoFeed, say: Say): Promise<void> {
    const from = feed.sentUpTo;
    const until = this.newestSlot();
    if (until - from < LIVE_SECONDS) return;
    const what = `Demo: sending ${span(until - from)} of ${String(feed.series.length)} series`;
    say(what);
    let told = 0;
    for (let upTo = from; upTo < until && !this.isStopping();) {
      upTo = Math.min(until, upTo + CHUNK_SECONDS);
      await this.send(feed, upTo);
      const percent = Math.floor((100 * (upTo - from)) / (until - from));
      if (percent >= told + PROGRESS_STEP_PERCENT) {
        told = percent - (percent % PROGRESS_STEP_PERCENT);
        say(`${what}: ${String(told)} %`);
      }
    }
    await this.onboarding.advance(org.id, 100);
    await this.sayWhenLearnt(feed, until, say);
  }

  /** Every series has a point of the last hour of history, unless it is silent then: the newest of all says it. */
  private async sayWhenLearnt(feed: DemoFeed, until: number, say: Say): Promise<void> {
    say('Demo: learning the history');
    while (!this.isStopping()) {
      const extents = await Promise.all(feed.metricIds.map((id) => this.store.extent(id)));
      if (Math.max(...extents.map((extent) => extent?.last ?? 0)) >= until) {
        say('Demo: ready. Its anomalies are at GET /api/anomalies; new points come every minute');
        return;
      }
      await this.pause(LEARNING_POLL_MS);
    }
  }

  private async send(feed: DemoFeed, until: number): Promise<void> {
    const liveFrom = floorToSlot(this.clock.now()) - LIVE_SECONDS + SLOT_SECONDS;
    await this.append(feed.take(Math.min(until, liveFrom)), 'backfill');
    await this.append(feed.take(until), 'live');
  }

  private async append(batch: PointBatch, kind: 'live' | 'backfill'): Promise<void> {
    for (let failures = 0; batch.ids.length > 0 && !this.isStopping(); failures++) {
      try {
        await this.log.append(batch, kind);
        return;
      } catch (error) {
        // What the database refused while it was away is sent again, like every good sender does.
        const isWorthSaying = failures === 0 && !(error instanceof PointLogFullError);
        if (isWorthSaying) this.logger.warn('Demo points wait for the database', error);
        await this.pause(FULL_LOG_PAUSE_MS);
      }
    }
  }

  private newestSlot(): number {
    return floorToSlot(this.clock.now() - SENDING_DELAY_SECONDS) - SLOT_SECONDS;
  }

  private async untilNextSlotIsOver(): Promise<void> {
    const now = this.clock.now();
    await this.pause((floorToSlot(now) + SLOT_SECONDS + SENDING_DELAY_SECONDS - now) * 1000);
  }

  /** Ends early when the process stops. */
  private async pause(ms: number): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    await new Promise<void>((resume) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resume();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done);
    });
  }
}

function span(seconds: number): string {
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? `${String(hours)} hours` : `${String(Math.round(hours / 24))} days`;
}
