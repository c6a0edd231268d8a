import { type BatchBuilder } from '../batch/batch-builder.js';
import { type SeriesHeader } from '../batch/parsed-batch.js';
import { isNameProblem, type MetricNameProblem, type ParsedMetricName } from '../names/metric-name.js';
import { ClassicBuckets } from './classic-buckets.js';
import { type Counts } from './counts.js';
import { ExplicitCounts } from './explicit-counts.js';
import { ExponentialCounts } from './exponential-counts.js';
import { type HistogramMemory, type RememberedHistogram } from './histogram-memory.js';
import { type BucketName, type HistogramNames } from './histogram-names.js';
import { type HistogramPoint, type HistogramTemporality } from './histogram-point.js';
import { type HistogramSettings } from './histogram-settings.js';
import { countsOf, NativeState, nextStep } from './native-state.js';

/** A histogram of a body. Created by `BodyHistograms.series`, and only usable with that one. */
export interface HistogramSeries {
  readonly parsed: ParsedMetricName;
  readonly backfill: boolean;
  readonly unit: string | null;
  readonly description: string | null;
  readonly names: HistogramNames;
  /** Of the memory. */
  readonly key: string;
  /** Classic buckets that wait for the end of the body, one a row; null if there are none. */
  classic: ClassicRows | null;
}

interface ClassicRows {
  isGauge: boolean;
  bounds: number[];
  timestamps: number[];
  counts: number[];
}

/** Rows of a batch that come from histograms, by index into `batch.series`. */
export interface HistogramRows {
  /** Rows of any kind: counts, sums, quantiles, buckets. */
  rows: Uint32Array;
  /** Rows that represent a histogram as it was sent: its count. */
  histograms: Uint32Array;
}

/** Maximum number of buckets of an exponential histogram that become series; with more, neighbours are merged. */
const MAX_BUCKET_SERIES = 64;

/**
 * Converts the histograms of one body to rows of its batch, and keeps their state for the next body. Created by
 * `HistogramFolder.begin`. A body that is not stored must be discarded, or its histograms would count twice when it is
 * sent again.
 */
export class BodyHistograms {
  /** States before this body, and after it. */
  private readonly changes = new Map<string, Change>();
  private readonly waiting: HistogramSeries[] = [];
  private readonly derived = new Map<SeriesHeader, { rows: number; histograms: number }>();

  constructor(
    private readonly memory: HistogramMemory,
    private readonly builder: BatchBuilder,
    private readonly scope: number,
    private readonly settings: HistogramSettings,
  ) {}

  /**
   * The histogram of a name (without `_count` and the like).
   * @param about unit and description for the series derived from it; the count has no unit
   */
  series(
    parsed: ParsedMetricName,
    backfill: boolean,
    about: { unit: string | null; description: string | null } = { unit: null, description: null },
  ): HistogramSeries {
    const names = this.memory.namesOf(parsed, this.builder.limits);
    return {
      parsed,
      backfill,
      unit: about.unit,
      description: about.description,
      names,
      key: names.keyIn(this.scope, backfill),
      classic: null,
    };
  }

  /**
   * Adds the rows of a point: count and sum, then by mode quantiles, buckets or nothing. Count and sum are points of
   * the body and are refused if they are wrong; the others are derived from them. Invalid buckets (bounds that do not
   * ascend, numbers of bounds and counts that do not match) are omitted.
   */
  add(series: HistogramSeries, point: HistogramPoint): void {
    const { names } = series;
    const { timestamp, temporality } = point;
    const isTaken = this.addSent(series, names.count, timestamp, point.count, temporality, true);
    if (point.hasSum) this.addSent(series, names.sum, timestamp, point.sum, temporality, false);
    if (!isTaken || this.settings.mode === 'none') return;
    const counts = countsOf(point);
    if (counts === null) return;
    if (this.settings.mode === 'buckets') this.addBuckets(series, counts, point);
    else this.fold(series, point, counts);
  }

  /**
   * True if a series is a bucket of a histogram that is folded (or dropped) instead of being stored unchanged: pass its
   * points to `addBucket`.
   */
  bucketOf(parsed: ParsedMetricName): BucketName | null {
    return this.settings.mode === 'buckets' ? null : this.memory.bucketNameOf(parsed, this.builder.limits);
  }

  /**
   * Adds a count of a classic bucket: of all observations up to its bound. It is not evaluated before `finish`.
   * @param name of the bucket's own series, under which it is refused
   * @returns false if it was refused
   */
  addBucket(
    series: HistogramSeries,
    name: string,
    bound: number,
    timestamp: number,
    count: number,
    isGauge = false,
  ): boolean {
    if (!this.builder.admit(name, series.backfill, timestamp, count)) return false;
    if (this.settings.mode !== 'quantiles') return true;
    if (series.classic === null) {
      series.classic = { isGauge, bounds: [], timestamps: [], counts: [] };
      this.waiting.push(series);
    }
    series.classic.bounds.push(bound);
    series.classic.timestamps.push(timestamp);
    series.classic.counts.push(count);
    return true;
  }

  /** Canonical names of the series that end when the sender ends a histogram; removes its state. */
  end(series: HistogramSeries): string[] {
    const { names } = series;
    return [names.count, names.sum]
      .flatMap((name) => (isNameProblem(name) ? [] : [name.name]))
      .concat(this.endQuantiles(series));
  }

  /** Like `end`, for a histogram whose count and sum are separate series. */
  endQuantiles(series: HistogramSeries): string[] {
    if (this.settings.mode !== 'quantiles') return [];
    this.remember(series.key, undefined);
    this.remember(classicKeyOf(series), undefined);
    return this.settings.quantiles.flatMap((quantile) => {
      const name = series.names.quantile(quantile);
      return isNameProblem(name) ? [] : [name.name];
    });
  }

  /** Folds the buckets that need the whole body. Call it before `BatchBuilder.finish`. */
  finish(): void {
    for (const series of this.waiting) if (series.classic !== null) this.foldClassic(series, series.classic);
    this.waiting.length = 0;
  }

  /** Discards the state of this body: it is not stored (refused, failed, or only a test) and may be sent again. */
  discard(): void {
    for (const [key, { before, after }] of this.changes) {
      // State that another body has derived from it in the meantime is kept.
      if (this.memory.get(key) === after) this.memory.set(key, before);
    }
    this.changes.clear();
  }

  /** The rows of a finished batch that come from histograms; null if there are none. */
  rowsOf(batchSeries: readonly SeriesHeader[]): HistogramRows | null {
    if (this.derived.size === 0) return null;
    const rows = new Uint32Array(batchSeries.length);
    const histograms = new Uint32Array(batchSeries.length);
    batchSeries.forEach((header, index) => {
      const derived = this.derived.get(header);
      if (derived === undefined) return;
      rows[index] = derived.rows;
      histograms[index] = derived.histograms;
    });
    return { rows, histograms };
  }

  private fold(series: HistogramSeries, point: HistogramPoint, counts: Counts): void {
    if (point.temporality === 'gauge') {
      this.addQuantiles(series, counts, point.timestamp);
      return;
    }
    const before = this.memory.get(series.key);
    const slot = Math.floor(point.timestamp / this.memory.slotSeconds);
    const step = nextStep(before instanceof NativeState ? before : undefined, point, counts, slot);
    if (step === null) return;
    this.remember(series.key, step.state);
    if (step.increase !== null) this.addQuantiles(series, step.increase, point.timestamp);
  }

  private foldClassic(series: HistogramSeries, { bounds, timestamps, counts, isGauge }: ClassicRows): void {
    const before = this.memory.get(classicKeyOf(series));
    const state = before instanceof ClassicBuckets ? before.copy() : new ClassicBuckets();
    const addIncrease = (): void => {
      const increase = state.increase(isGauge);
      if (increase !== null) this.addQuantiles(series, increase, state.timestamp);
    };
    let hasNewCounts = false;
    for (const row of rowsInOrderOf(timestamps)) {
      const slot = Math.floor(timestamps[row]! / this.memory.slotSeconds);
      if (hasNewCounts && slot > state.slot) addIncrease();
      // A late count of an earlier slot does not change the values of this one.
      hasNewCounts = slot >= state.slot || hasNewCounts;
      state.put(bounds[row]!, timestamps[row]!, counts[row]!, slot);
    }
    if (hasNewCounts) addIncrease();
    this.remember(classicKeyOf(series), state);
  }

  private addQuantiles(series: HistogramSeries, counts: Counts, timestamp: number): void {
    const { quantiles } = this.settings;
    const values = counts.quantiles(quantiles);
    quantiles.forEach((quantile, i) => {
      const value = values[i]!;
      if (Number.isFinite(value))
        this.addDerived(series, series.names.quantile(quantile), timestamp, value, 'gauge', true);
    });
  }

  private addBuckets(series: HistogramSeries, counts: Counts, { timestamp, temporality, count }: HistogramPoint): void {
    let upTo = 0;
    for (const [bound, inBucket] of bucketsOf(counts)) {
      upTo += inBucket;
      // Observations that are not a number are in no bucket, but are counted.
      const value = bound === Infinity ? count : upTo;
      this.addDerived(series, series.names.bucket(bound), timestamp, value, temporality, false);
    }
  }

  /** A row that represents a part of the sent histogram. */
  private addSent(
    series: HistogramSeries,
    name: ParsedMetricName | MetricNameProblem,
    timestamp: number,
    value: number,
    temporality: HistogramTemporality,
    isCount: boolean,
  ): boolean {
    if (isNameProblem(name)) {
      this.builder.refuse(series.parsed.name, name.reason);
      return false;
    }
    const index = this.builder.series(name, series.backfill);
    const header = this.describe(index, series, temporality, !isCount);
    if (!this.builder.add(index, timestamp, value)) return false;
    this.note(header, isCount ? 1 : 0);
    return true;
  }

  private addDerived(
    series: HistogramSeries,
    name: ParsedMetricName | MetricNameProblem,
    timestamp: number,
    value: number,
    temporality: HistogramTemporality,
    hasUnit: boolean,
  ): void {
    if (isNameProblem(name)) return;
    const index = this.builder.series(name, series.backfill);
    const header = this.describe(index, series, temporality, hasUnit);
    if (this.builder.addDerived(index, timestamp, value)) this.note(header, 0);
  }

  private describe(
    index: number,
    { unit, description }: HistogramSeries,
    temporality: HistogramTemporality,
    hasUnit: boolean,
  ): SeriesHeader {
    const header = this.builder.header(index);
    if (header.type !== null) return header;
    header.type = TYPES[temporality];
    // The count of a slot is the sum of the counts of its parts.
    if (temporality === 'delta') header.aggregation = 'sum';
    header.description = description;
    if (hasUnit) header.unit = unit;
    return header;
  }

  private note(header: SeriesHeader, histograms: number): void {
    const derived = this.derived.get(header);
    if (derived === undefined) {
      this.derived.set(header, { rows: 1, histograms });
      return;
    }
    derived.rows++;
    derived.histograms += histograms;
  }

  private remember(key: string, state: RememberedHistogram | undefined): void {
    const change = this.changes.get(key);
    if (change === undefined) this.changes.set(key, { before: this.memory.get(key), after: state });
    else change.after = state;
    this.memory.set(key, state);
  }
}

/** A sender may send one histogram in both forms; neither must disturb the other. */
function classicKeyOf({ key }: HistogramSeries): string {
  return `${key} le`;
}

interface Change {
  before: RememberedHistogram | undefined;
  after: RememberedHistogram | undefined;
}

const TYPES = { cumulative: 'counter', delta: 'rate', gauge: 'gauge' } as const;

/** Row numbers by ascending time; rows of one time keep their order. */
function rowsInOrderOf(timestamps: readonly number[]): Iterable<number> {
  const rows = timestamps.keys();
  for (let i = 1; i < timestamps.length; i++) {
    if (timestamps[i]! < timestamps[i - 1]!) return [...rows].sort((a, b) => timestamps[a]! - timestamps[b]!);
  }
  return rows;
}

/** Bounds and counts of the buckets to be stored as series, ascending; the last one is infinite. */
function bucketsOf(counts: Counts): [bound: number, count: number][] {
  if (counts instanceof ExplicitCounts) {
    return counts.counts.map((count, i) => [counts.bounds[i] ?? Infinity, count]);
  }
  return counts instanceof ExponentialCounts ? exponentialBuckets(counts) : [];
}

function exponentialBuckets(counts: ExponentialCounts): [bound: number, count: number][] {
  let fitting = counts;
  while (fitting.positive.indices.length + fitting.negative.indices.length > MAX_BUCKET_SERIES) {
    fitting = fitting.coarser(1);
  }
  const { positive, negative, zeroCount, zeroThreshold } = fitting;
  const buckets: [number, number][] = [];
  for (let i = negative.indices.length - 1; i >= 0; i--) {
    buckets.push([-fitting.boundAbove(negative.indices[i]! - 1), negative.counts[i]!]);
  }
  if (zeroCount > 0) buckets.push([zeroThreshold, zeroCount]);
  positive.indices.forEach((index, i) => buckets.push([fitting.boundAbove(index), positive.counts[i]!]));
  buckets.push([Infinity, 0]);
  return buckets.filter(([bound], i) => bound < Infinity || i === buckets.length - 1);
}
