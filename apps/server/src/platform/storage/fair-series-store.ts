import {
  type MaintenanceReport,
  type RetentionPlan,
  type RetentionTiers,
  type SeriesBatch,
  type SeriesColumns,
  type SeriesQuery,
  type SeriesStore,
} from '#libs/series';
import { type FairQueue } from '../../common/fair-share/fair-queue.js';
import { type FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest, type RequestContext } from '../../common/http/request-context.js';

/** Maximum number of waiting reads for API requests: of all organisations, and of one. */
const WAITING = 2000;
const WAITING_PER_ORG = 200;

/**
 * Reads for API requests are served in rotation between organisations. They leave one connection to detection and
 * background work, whose reads do not wait. Each read takes a separate turn: a request may start many concurrently.
 * After the first read of a request was admitted, later ones are not refused.
 */
export class FairSeriesStore implements SeriesStore {
  private readonly turns: FairQueue;
  private readonly started = new WeakSet<RequestContext>();

  /** @param connections of the store: the number of concurrent reads */
  constructor(
    private readonly store: SeriesStore,
    connections: number,
    registry: FairQueueRegistry,
  ) {
    const slots = Math.max(1, connections - 1);
    const slotsPerParty = Math.ceil(slots / 2);
    this.turns = registry.open('series', { slots, slotsPerParty, waiting: WAITING, waitingPerParty: WAITING_PER_ORG });
  }

  read(query: SeriesQuery): Promise<SeriesColumns> {
    return this.inTurn(() => this.store.read(query));
  }

  readMany(queries: readonly SeriesQuery[]): Promise<SeriesColumns[]> {
    return this.inTurn(() => this.store.readMany(queries));
  }

  readRaw(id: number, from: number, until: number): ReturnType<SeriesStore['readRaw']> {
    return this.inTurn(() => this.store.readRaw(id, from, until));
  }

  write(batch: SeriesBatch): Promise<void> {
    return this.store.write(batch);
  }

  extent(id: number): ReturnType<SeriesStore['extent']> {
    return this.store.extent(id);
  }

  erase(ids: readonly number[]): Promise<void> {
    return this.store.erase(ids);
  }

  dropTier1(ids: readonly number[], tiers?: RetentionTiers): Promise<void> {
    return this.store.dropTier1(ids, tiers);
  }

  applyRetention(now: number, plan?: RetentionPlan): Promise<void> {
    return this.store.applyRetention(now, plan);
  }

  maintain(now: number): Promise<MaintenanceReport> {
    return this.store.maintain(now);
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** @throws OverloadedError if too many reads wait; ClientGoneError */
  private async inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    const context = currentRequest.getStore();
    if (context?.party === undefined) return read();
    const { party } = context;
    const hasStarted = this.started.has(context);
    const release = await (hasStarted ? this.turns.enterAgain(party) : this.turns.enter(party, context.gone));
    this.started.add(context);
    try {
      return await read();
    } finally {
      // The caller processes the points immediately, which uses this thread.
      setImmediate(release);
    }
  }
}
