import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ClientGoneError, type FairQueue } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { currentRequest } from '../../common/http/request-context.js';
import { HOUR } from '../../common/time.js';
import { type MetricRecord } from '../../data/metric/metric.types.js';
import { type SeriesSettings } from '../../people/org/org.types.js';
import { type Expectation } from './expectation.types.js';
import { ReplayExecutor } from './replay-executor.js';
import { type AccountRequest, type AccountResult } from './replay.js';
import { StoredSeriesService } from './stored-series.service.js';

const MEAN_SECONDS = HOUR;
/** Maximum number of points in memory over all cached answers; eight columns of eight bytes each. */
const CACHED_POINTS = 1_000_000;

/**
 * Maximum number of series that are read or replayed at the same time: while one is replayed, the next is read; one of
 * them is for another organisation.
 */
const MAX_RUNNING = 3;
/** Maximum number of waiting replays: of all organisations, and of one. */
const WAITING = 500;
const WAITING_PER_ORG = 100;

/** The expected range of a metric in any past window, computed by running its detector on the stored series. */
@Injectable()
export class ExpectationService {
  private readonly cache: LRUCache<string, Expectation>;
  private readonly running = new Map<string, Promise<Expectation>>();
  private readonly turns: FairQueue;

  constructor(
    private readonly series: StoredSeriesService,
    private readonly executor: ReplayExecutor,
    turns: FairQueueRegistry,
  ) {
    this.turns = turns.open('replays', {
      slots: MAX_RUNNING,
      slotsPerParty: MAX_RUNNING - 1,
      waiting: WAITING,
      waitingPerParty: WAITING_PER_ORG,
    });
    this.cache = new LRUCache({
      maxSize: CACHED_POINTS,
      sizeCalculation: ({ timestamps }) => 1 + timestamps.length,
    });
  }

  /**
   * The expected range for the slots that start within the window (Unix seconds, both inclusive). Windows that begin
   * before the oldest slots of tier 1 are answered from roll-ups. Rows without data are omitted.
   * @param org settings of the organisation
   * @throws OverloadedError too many wait; ClientGoneError
   */
  getExpectation(metric: MetricRecord, from: number, until: number, org: SeriesSettings): Promise<Expectation> {
    return this.expect(metric, org, from, until, false);
  }

  /**
   * The same on roll-ups: the range of means over longer slots, at a tenth of the cost, for small graphs. Cached until
   * the metric has a new slot of that length.
   */
  getRolledExpectation(metric: MetricRecord, from: number, until: number, org: SeriesSettings): Promise<Expectation> {
    return this.expect(metric, org, from, until, true);
  }

  private async expect(
    metric: MetricRecord,
    org: SeriesSettings,
    from: number,
    until: number,
    isRolled: boolean,
  ): Promise<Expectation> {
    const slot = isRolled ? org.retention2ResolutionSeconds : org.retention1ResolutionSeconds;
    const firstSlot = Math.ceil(from / slot) * slot;
    const lastSlot = Math.floor(until / slot) * slot;
    // Only a new slot of the metric, or a changed setting, changes the answer.
    const slots = [slot, org.retention2ResolutionSeconds];
    const newest = isRolled ? Math.floor((metric.lastTimestamp ?? 0) / slot) : metric.lastTimestamp;
    const judged = [metric.type, org.timezone, JSON.stringify(metric.terms)];
    const key = [isRolled, metric.id, newest, firstSlot, lastSlot, ...slots, ...judged].join(' ');
    const gone = currentRequest.getStore()?.gone;
    const read = isRolled ? 'readRolled' : 'readWithWarmUp';
    const replay = () => this.replay(metric, org, firstSlot, lastSlot, read);
    for (;;) {
      const known = this.cache.get(key) ?? this.running.get(key);
      const working = known ?? this.begin(key, metric.orgId, replay, gone);
      try {
        return await working;
      } catch (error) {
        // It was dropped because another caller of the same request has disconnected.
        if (!(error instanceof ClientGoneError) || gone?.aborted === true) throw error;
      }
    }
  }

  /**
   * The detector's explanation of a recorded anomaly, from the stored series: the repeated verdict, and what would have
   * changed it. `shape`: range of slots around it to return as well (Unix seconds, both inclusive).
   * @throws OverloadedError too many wait; ClientGoneError
   */
  async getAccount(
    metric: MetricRecord,
    { recorded, shape }: Pick<AccountRequest, 'recorded' | 'shape'>,
    org: SeriesSettings,
  ): Promise<AccountResult & { slotSeconds: number; timezone: string }> {
    const gone = currentRequest.getStore()?.gone;
    const account = async () => {
      const until = Math.max(shape.until, recorded.end ?? metric.lastTimestamp ?? shape.until);
      const { timestamps, values, slotSeconds } = await this.series.readWithWarmUp(metric, org, recorded.start, until);
      const { timezone } = org;
      const { type, terms } = metric;
      const judged = { type, slotSeconds, timezone, terms };
      const found = await this.executor.account({ recorded, shape, timestamps, values, ...judged });
      return { ...found, slotSeconds, timezone };
    };
    return this.turns.run(`org:${String(metric.orgId)}`, account, gone);
  }

  private begin(
    key: string,
    orgId: number,
    replay: () => Promise<Expectation>,
    gone: AbortSignal | undefined,
  ): Promise<Expectation> {
    const working = this.turns
      .run(`org:${String(orgId)}`, replay, gone)
      .then((expectation) => {
        this.cache.set(key, expectation);
        return expectation;
      })
      .finally(() => this.running.delete(key));
    this.running.set(key, working);
    return working;
  }

  private async replay(
    metric: MetricRecord,
    org: SeriesSettings,
    from: number,
    until: number,
    read: 'readWithWarmUp' | 'readRolled',
  ): Promise<Expectation> {
    const { timestamps, values, slotSeconds } = await this.series[read](metric, org, from, until);
    const { id: metricId, type, terms } = metric;
    const { timezone } = org;
    // Means also need the hour before.
    const firstRow = rowAt(timestamps, from - MEAN_SECONDS);
    const verdicts = await this.executor.replay({
      metricId,
      timestamps,
      values,
      type,
      slotSeconds,
      timezone,
      terms,
      firstRow,
    });
    const means = trailingMeans(timestamps.subarray(firstRow), verdicts.values, MEAN_SECONDS);
    const first = rowAt(timestamps, from);
    const skipped = first - firstRow;
    return {
      resolutionSeconds: slotSeconds,
      timestamps: timestamps.slice(first),
      values: verdicts.values.slice(skipped),
      means: means.slice(skipped),
      yhat: verdicts.yhat.slice(skipped),
      lower: verdicts.lower.slice(skipped),
      upper: verdicts.upper.slice(skipped),
      scores: verdicts.alarm.slice(skipped),
      anomalous: verdicts.anomalous.slice(skipped),
      kinds: verdicts.kind.slice(skipped),
      // The rate of a counter is never negative.
      hasBeenNegative: type !== 'counter' && values.some((value) => value < 0),
    };
  }
}

/** The first row at or after a time; the number of rows if there is none. */
function rowAt(timestamps: Float64Array, time: number): number {
  const row = timestamps.findIndex((timestamp) => timestamp >= time);
  return row < 0 ? timestamps.length : row;
}

/** Mean over the rows within `seconds` up to and including each row; NaN values are skipped. */
function trailingMeans(timestamps: Float64Array, values: Float64Array, seconds: number): Float64Array {
  const means = new Float64Array(values.length);
  let first = 0;
  let sum = 0;
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (!Number.isNaN(value)) {
      sum += value;
      count++;
    }
    while (timestamps[first]! <= timestamps[row]! - seconds) {
      const gone = values[first++]!;
      if (Number.isNaN(gone)) continue;
      sum -= gone;
      count--;
    }
    means[row] = count === 0 ? Number.NaN : sum / count;
  }
  return means;
}
