import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type PointBatch, type PointLog, PointLogFullError } from '#libs/point-log';
import { type SeriesStore } from '#libs/series';
import { Clock } from '../../common/clock.js';
import { type AdvisoryLock, AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { messageOf } from '../../common/errors/message-of.js';
import { DAY, HOUR, exactSecondsOf } from '../../common/time.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { MetricRegistry } from '../../data/metric/metric-registry.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { type Org } from '../../people/org/org.types.js';
import { PointCounts } from '../../data/point-count/point-counts.service.js';
import { Onboarding } from '../../people/progress/onboarding.service.js';
import { POINT_LOG, SERIES_STORE } from '../../platform/storage/storage.types.js';
import { DemoFeed, floorToSlot, SLOT_SECONDS } from './demo-feed.js';
import { DemoOrgs } from './demo-orgs.service.js';
import { DemoReset } from './demo-reset.service.js';
import { demoTheme } from './demo-themes.js';
import { DemoRepository } from './demo.repository.js';

/** First key of the advisory lock, the second is the organisation: one process feeds a demo. */
const LOCK_SPACE = DATABASE_LOCKS.demoFeed.number;

const HISTORY_SECONDS = 10 * DAY;
/** Slots of all series that go into one record of the log while history is sent. */
const CHUNK_SECONDS = 4 * HOUR;
/** Older points are history: they are recorded, never alerted. */
const LIVE_SECONDS = HOUR;
/** Senders report a slot a moment after it is over. */
const SENDING_DELAY_SECONDS = 1;
const FULL_LOG_PAUSE_MS = 200;
const LEARNING_POLL_MS = 1000;
const LEARNING_AT_MOST_SECONDS = 600;
/** How soon a demo goes on when the process that fed it is gone. */
const WATCH_EVERY_MS = 60_000;
const PROGRESS_STEP_PERCENT = 10;

const READY = 'Demo: ready. Its anomalies are at GET /api/anomalies; new points come every minute';

type Say = (line: string) => void;

/** An organisation that is being fed. */
interface Feeding {
  orgId: number;
  /** For people. */
  name: string;
  /** Visitors may look at it: it is reset every night. */
  isPublic: boolean;
  feed: DemoFeed;
  /** Newest label that is among the events, Unix seconds. */
  labelledUpTo: number;
}

/** Makes demo organisations live: history once, then a point per series and minute, as a sender would. */
@Injectable()
export class DemoService implements OnModuleDestroy {
  private readonly logger = new Logger(DemoService.name);
  private readonly stopping = new AbortController();
  /** By organisation. */
  private readonly feeding = new Map<number, Promise<void>>();
  private watching: Promise<void> | undefined;
  /** Histories are sent one after the other, so that the first one is there soon. */
  private history: Promise<void> = Promise.resolve();

  constructor(
    private readonly orgs: OrgService,
    private readonly demos: DemoOrgs,
    private readonly reset: DemoReset,
    private readonly repository: DemoRepository,
    private readonly onboarding: Onboarding,
    private readonly registry: MetricRegistry,
    private readonly pointCounts: PointCounts,
    private readonly events: EventRecorder,
    @Inject(POINT_LOG) private readonly log: PointLog,
    @Inject(SERIES_STORE) private readonly store: SeriesStore,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins to feed every demo organisation that no other process feeds, and takes over what others leave. `say` gets
   * the progress of the history.
   */
  async start(say: Say): Promise<void> {
    await this.begin(say);
    this.watching = this.watch(say);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.watching;
    await Promise.all(this.feeding.values());
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async watch(say: Say): Promise<void> {
    while (!this.isStopping()) {
      await this.pause(WATCH_EVERY_MS);
      if (this.isStopping()) return;
      try {
        await this.begin(say);
      } catch (error) {
        this.logger.warn(`Demo organisations could not be looked up: ${messageOf(error)}`);
      }
    }
  }

  private async begin(say: Say): Promise<void> {
    await this.demos.ensure();
    const open = new Set((await this.demos.open()).map(({ id }) => id));
    const closed = new Set((await this.repository.listAll()).map(({ orgId }) => orgId).filter((id) => !open.has(id)));
    for (const org of await this.orgs.listAll()) {
      if (!org.isDemo || closed.has(org.id) || this.feeding.has(org.id)) continue;
      const lock = await this.locks.tryAcquire(LOCK_SPACE, org.id);
      if (!lock) continue;
      const feeding = this.feed(org, lock, say).finally(() => this.feeding.delete(org.id));
      this.feeding.set(org.id, feeding);
    }
  }

  private async feed(org: Org, lock: AdvisoryLock, say: Say): Promise<void> {
    try {
      // The place in the line is taken before anything is waited for: the oldest organisation comes first.
      const sending = this.history.then(() => this.bringUpToDate(org, say));
      this.history = sending.then(
        () => undefined,
        () => undefined,
      );
      let feeding = await sending;
      while (feeding && !this.isStopping() && !lock.lost.aborted) {
        await this.untilNextSlotIsOver();
        if (this.isStopping()) break;
        if (await this.isGone(org.id)) break;
        if (feeding.isPublic && (await this.reset.runIfDue(org.id))) {
          const { labelledUpTo } = feeding;
          feeding = await this.open(org);
          feeding.labelledUpTo = Math.max(feeding.labelledUpTo, labelledUpTo);
        }
        await this.send(feeding, this.newestSlot());
      }
    } catch (error) {
      if (!this.isStopping()) this.logger.error(`The demo of organisation ${String(org.id)} has stopped`, error);
    } finally {
      await lock.release();
    }
  }

  /** Null when the organisation went meanwhile: others may have come first for minutes. */
  private async bringUpToDate(org: Org, say: Say): Promise<Feeding | null> {
    if (await this.isGone(org.id)) return null;
    const feeding = await this.open(org);
    await this.sendHistory(feeding, say);
    return (await this.isGone(org.id)) ? null : feeding;
  }

  /** Nothing is sent to an organisation that is being erased. */
  private async isGone(orgId: number): Promise<boolean> {
    return (await this.orgs.find(orgId)) === null;
  }

  private async open(org: Org): Promise<Feeding> {
    const demo = await this.repository.find(org.id);
    // The administrator's is a shop in the zone of the organisation.
    const theme = (demo && demoTheme(demo.theme)) ?? { theme: 'shop', seed: 1, timezone: org.timezone };
    const { theme: name, seed, timezone } = theme;
    const from = this.clock.now() - HISTORY_SECONDS;
    const feed = new DemoFeed(exactSecondsOf(org.createdAt), from, { theme: name, seed, timezone });
    const { ids } = await this.registry.resolve(org.id, 'http', feed.headers);
    const extents = await Promise.all(Array.from(ids, (id) => this.store.extent(id)));
    feed.attach(
      ids,
      extents.map((extent) => extent?.last ?? null),
    );
    const labelledUpTo = (await this.repository.newestLabel(org.id)) ?? from;
    return { orgId: org.id, name: org.name, isPublic: demo !== null, feed, labelledUpTo };
  }

  /** What is missing up to now: everything on the first start, the time of standing still on later ones. */
  private async sendHistory(feeding: Feeding, say: Say): Promise<void> {
    const { feed, orgId, name, isPublic } = feeding;
    const from = feed.sentUpTo;
    const until = this.newestSlot();
    if (until - from < LIVE_SECONDS) return;
    const title = isPublic ? `Demo for visitors (${name})` : 'Demo';
    const what = `${title}: sending ${span(until - from)} of ${String(feed.series.length)} series`;
    // Who has just started the product waits for the own demo; of the others one line is enough.
    const sayStep = isPublic ? () => undefined : say;
    sayStep(what);
    let told = 0;
    for (let upTo = from; upTo < until && !this.isStopping();) {
      if (await this.isGone(orgId)) return;
      upTo = Math.min(until, upTo + CHUNK_SECONDS);
      await this.send(feeding, upTo);
      const percent = Math.floor((100 * (upTo - from)) / (until - from));
      if (percent >= told + PROGRESS_STEP_PERCENT) {
        told = percent - (percent % PROGRESS_STEP_PERCENT);
        sayStep(`${what}: ${String(told)} %`);
      }
    }
    await this.onboarding.advance(orgId, 100);
    sayStep(`${title}: learning the history`);
    await this.untilLearnt(feeding);
    if (!this.isStopping() && !(await this.isGone(orgId))) say(isPublic ? `${title}: ready` : READY);
  }

  /** All of the history is in the store: each series is learnt by one of several workers, which take their time apart. */
  private async untilLearnt({ feed, orgId }: Feeding): Promise<void> {
    // Points of a metric that somebody has taken out never arrive.
    const latest = this.clock.now() + LEARNING_AT_MOST_SECONDS;
    while (!this.isStopping() && this.clock.now() < latest && !(await this.isGone(orgId))) {
      const extents = await Promise.all(feed.metricIds.map((id) => this.store.extent(id)));
      if (feed.isStored(extents.map((extent) => extent?.last ?? null))) return;
      await this.pause(LEARNING_POLL_MS);
    }
  }

  private async send(feeding: Feeding, until: number): Promise<void> {
    const liveFrom = floorToSlot(this.clock.now()) - LIVE_SECONDS + SLOT_SECONDS;
    await this.append(feeding.orgId, feeding.feed.nextBatch(Math.min(until, liveFrom)), 'backfill');
    await this.append(feeding.orgId, feeding.feed.nextBatch(until), 'live');
    this.label(feeding, until);
  }

  /** Simulated anomalies are reported as events, so that users can see whether they were detected. */
  private label(feeding: Feeding, until: number): void {
    for (const { from, until: end, text, kind, metric, metricId } of feeding.feed.labels(feeding.labelledUpTo, until)) {
      this.events.record({
        orgId: feeding.orgId,
        type: 'custom',
        level: 'info',
        title: 'Simulated anomaly',
        message: `${text.charAt(0).toUpperCase()}${text.slice(1)}: ${String(Math.round((end - from) / 60))} minutes of ${kind.replaceAll('_', ' ')} in ${metric}.`,
        metric,
        metricId,
        timestamp: from,
        ref: { kind: 'demo_trouble', id: `${String(metricId)}/${String(from)}` },
        details: { kind, from, until: end },
      });
      feeding.labelledUpTo = from;
    }
  }

  private async append(orgId: number, batch: PointBatch, kind: 'live' | 'backfill'): Promise<void> {
    for (let failures = 0; batch.ids.length > 0 && !this.isStopping(); failures++) {
      try {
        await this.log.append(batch, kind);
        this.pointCounts.record(orgId, batch.ids.length);
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
  const hours = Math.round(seconds / HOUR);
  return hours < 48 ? `${String(hours)} hours` : `${String(Math.round(hours / 24))} days`;
}
