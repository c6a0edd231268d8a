import { type RefusalReason } from '#libs/contracts';
import { type ParsedMetricName } from '../names/metric-name.js';
import { CachedName } from '../names/cached-name.js';
import { BodyTooLargeError } from './errors.js';
import { type ParseLimits } from './limits.js';
import { type ParsedBatch, type ParseResult, type SeriesHeader } from './parsed-batch.js';
import { type PointRefusal } from './point-problem.js';
import { Refusals } from './refusals.js';

const FIRST_CAPACITY = 256;
const NO_NAMES: readonly string[] = [];
/** Average number of rows per point: a histogram has many buckets. */
const DERIVED_PER_POINT = 4;

/** Numbers the builders of a process: a name must not use the row of another builder. */
let lastNumber = 0;

/**
 * Collects the points of one body in growing columns (no object per point), applies the limits that are the same for
 * every protocol (time window, finite values, number of points), and counts what it refuses.
 */
export class BatchBuilder {
  readonly refusals: Refusals;
  /**
   * Describes the point being read in `refusals`; called when it is refused, while further problems are described. Null:
   * the parser does this itself.
   */
  onRefused: ((reason: PointRefusal, backfill: boolean, timestamp: number, value: number) => void) | null = null;
  private readonly headers: SeriesHeader[] = [];
  private readonly number = ++lastNumber;
  private readonly live = new Map<string, number>();
  private readonly history = new Map<string, number>();
  private seriesIndex = new Uint32Array(FIRST_CAPACITY);
  private timestamps = new Float64Array(FIRST_CAPACITY);
  private values = new Float64Array(FIRST_CAPACITY);
  private count = 0;
  private submitted = 0;
  private derived = 0;
  private readonly oldestLive: number;
  private readonly oldestHistory: number;
  private readonly newest: number;

  constructor(readonly limits: ParseLimits) {
    this.refusals = new Refusals(limits.maxDetails);
    this.oldestLive = limits.now - limits.maxAgeSeconds;
    this.oldestHistory = limits.now - limits.backfillMaxAgeSeconds;
    this.newest = limits.now + limits.maxFutureSeconds;
  }

  /**
   * Index of a metric's header, created at the first call; the same metric sent as backfill is a separate series. A
   * CachedName has a separate index even if another one spells the same name: to detect that would cost more than the
   * second header.
   */
  series(parsed: ParsedMetricName, backfill: boolean): number {
    if (parsed instanceof CachedName && backfill === this.limits.backfill) {
      if (parsed.builder !== this.number) {
        parsed.series = this.newHeader(parsed, backfill);
        parsed.builder = this.number;
      }
      return parsed.series;
    }
    const known = backfill ? this.history : this.live;
    let index = known.get(parsed.name);
    if (index === undefined) {
      index = this.newHeader(parsed, backfill);
      known.set(parsed.name, index);
    }
    return index;
  }

  private newHeader(parsed: ParsedMetricName, backfill: boolean): number {
    return (
      this.headers.push({
        name: parsed.name,
        type: null,
        unit: null,
        description: null,
        aggregation: null,
        backfill,
      }) - 1
    );
  }

  header(series: number): SeriesHeader {
    return this.headers[series]!;
  }

  /** Adds or refuses one point; returns the outcome. `timestamp` NaN is `bad_timestamp`. */
  add(series: number, timestamp: number, value: number): boolean {
    return this.addOrRefuse(series, timestamp, value) === null;
  }

  /** Adds or refuses one point; returns the reason of a refusal, or null. */
  addOrRefuse(series: number, timestamp: number, value: number): PointRefusal | null {
    const { name, backfill } = this.headers[series]!;
    const reason = this.judge(name, backfill, timestamp, value);
    if (reason === null) this.append(series, timestamp, value);
    return reason;
  }

  /** Counts a point towards the limit of the body and checks it; an invalid point is refused. Adds no row. */
  admit(name: string, backfill: boolean, timestamp: number, value: number): boolean {
    return this.judge(name, backfill, timestamp, value) === null;
  }

  private judge(name: string, backfill: boolean, timestamp: number, value: number): PointRefusal | null {
    this.submit(1);
    const reason = this.problemOf(backfill, timestamp, value);
    if (reason !== null) {
      this.refusals.add(name, reason);
      if (this.onRefused !== null && this.refusals.takesLines) this.onRefused(reason, backfill, timestamp, value);
    }
    return reason;
  }

  /**
   * Adds a row that is derived from sent data rather than sent itself: it does not count as submitted, and is silently
   * omitted where a point would be refused.
   */
  addDerived(series: number, timestamp: number, value: number): boolean {
    if (this.problemOf(this.headers[series]!.backfill, timestamp, value) !== null) return false;
    if (++this.derived > this.limits.maxPoints * DERIVED_PER_POINT) {
      throw new BodyTooLargeError('points', this.limits.maxPoints);
    }
    this.append(series, timestamp, value);
    return true;
  }

  /** Counts a value towards the limit of the body that is neither stored nor an error. */
  omit(metric: string): void {
    this.submit(1);
    this.refusals.omit(metric);
  }

  /** Counts points that never become rows because their name is invalid or their value unreadable. */
  refuse(metric: string, reason: RefusalReason, points = 1): void {
    this.submit(points);
    this.refusals.add(metric, reason, points);
  }

  /** Counts an item that is not a point but uses the same space (a staleness marker) towards the limit of the body. */
  countMarker(): void {
    this.submit(1);
  }

  /** The columns and headers of the added points. Headers without a point are omitted: they create no metric. */
  finish(): ParseResult {
    const batch = this.withoutEmptySeries();
    return { batch, refusals: this.refusals, withoutPoints: this.namesWithoutPoints(batch) };
  }

  private submit(points: number): void {
    this.submitted += points;
    if (this.submitted > this.limits.maxPoints) throw new BodyTooLargeError('points', this.limits.maxPoints);
  }

  private problemOf(backfill: boolean, timestamp: number, value: number): PointRefusal | null {
    if (!(timestamp >= 0)) return 'bad_timestamp';
    if (!Number.isFinite(value)) return 'not_finite';
    if (timestamp > this.newest) return 'in_future';
    return timestamp < (backfill ? this.oldestHistory : this.oldestLive) ? 'too_old' : null;
  }

  private append(series: number, timestamp: number, value: number): void {
    const row = this.count;
    if (row === this.values.length) this.grow();
    this.seriesIndex[row] = series;
    this.timestamps[row] = timestamp;
    this.values[row] = value;
    this.count = row + 1;
  }

  private grow(): void {
    const capacity = this.values.length * 2;
    const seriesIndex = new Uint32Array(capacity);
    const timestamps = new Float64Array(capacity);
    const values = new Float64Array(capacity);
    seriesIndex.set(this.seriesIndex);
    timestamps.set(this.timestamps);
    values.set(this.values);
    this.seriesIndex = seriesIndex;
    this.timestamps = timestamps;
    this.values = values;
  }

  private namesWithoutPoints({ series }: ParsedBatch): readonly string[] {
    if (series.length === this.headers.length) return NO_NAMES;
    const known = new Set(series.map(({ name }) => name));
    const { metrics } = this.refusals;
    return this.headers.flatMap(({ name }) => (known.has(name) || metrics.has(name) ? [] : [name]));
  }

  private withoutEmptySeries(): ParsedBatch {
    const { count } = this;
    const seriesIndex = this.seriesIndex.subarray(0, count);
    const used = new Uint8Array(this.headers.length);
    for (let row = 0; row < count; row++) used[seriesIndex[row]!] = 1;
    const place = new Uint32Array(this.headers.length);
    const series: SeriesHeader[] = [];
    this.headers.forEach((header, index) => {
      if (used[index] !== 1) return;
      place[index] = series.length;
      series.push(header);
    });
    if (series.length < this.headers.length) {
      for (let row = 0; row < count; row++) seriesIndex[row] = place[seriesIndex[row]!]!;
    }
    return {
      series,
      seriesIndex,
      timestamps: this.timestamps.subarray(0, count),
      values: this.values.subarray(0, count),
      count,
    };
  }
}
