import { EvenScale } from './distribution-shape.js';
import { B, F, P } from '../record/layout.js';
import { type SeasonalPoint, STEP } from '../season/season.js';
import { exceedsRange, smoothed } from './seen-range.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs, log, log10, max, min, sqrt } = Math;

/** Limit of the effect of one point on the running mean of deviations: a spike is not a shift. */
const SUSTAINED_CAP = 4;
/** Minimum usual size of that mean: for series that almost always equal their expectation. */
const MIN_SUSTAINED = 0.1;
/**
 * Number of points over which a deviation counts as sustained; fewer while an anomaly is open, so that its end is
 * detected soon.
 */
const SUSTAINED_RATE = 1 / 12;
const SUSTAINED_RATE_OPEN = 0.3;
/**
 * Deviations are divided by 1 + this / sqrt(independent points): slow series have fewer independent points than their
 * length suggests.
 */
const INDEPENDENCE = 1.5;
/**
 * Time for which a value must be constant before it may be frozen, the bounds of this time in rows, and how many times
 * longer than ever before.
 */
const FROZEN_SECONDS = 1800;
const FROZEN_LEAST_ROWS = 6;
const FROZEN_MOST_ROWS = 30;
const FROZEN_LONGER = 3;
/** The same factor at the lowest or highest value of all: an empty queue, a full pool. */
const FROZEN_LONGER_AT_END = 12;
/** Series with more unchanged steps than this are not expected to move. */
const FROZEN_SHARE = 0.97;
const MAX_FROZEN = 10;
/**
 * Points over which changes count as rough, the limit of the effect of one change, and the minimum usual change of the
 * logarithm.
 */
const ROUGHNESS_RATE = 1 / 24;
const ROUGHNESS_CAP = 4;
const MIN_ROUGHNESS = 0.05;
/** Minimum usual deviation, in the smallest step of the series: counts that are mostly zero. */
const MIN_SPREAD = 0.05;
/** The same for tests of whether a deviation exceeds chance. */
const MIN_CHANCE = 0.7;
const MAX_SPREADS = 1e6;
const TINY = 1e-300;

/** One point compared with the expectation. Deviations are in units of the series, `z…` in usual deviations. */
export class Measurement {
  value = 0;
  deviation = 0;
  /** The part of the deviation that the minutes before and after do not explain at a steep edge of the day. */
  ownDeviation = 0;
  /** Usual deviation from the expectation and from the forecast. */
  spread = 0;
  changeSpread = 0;
  /** One-step forecast: the expectation plus the lasting part of the last deviations. */
  forecast = 0;
  change = 0;
  /** Size of the change that its spread learns from. */
  learntChange = 0;
  zChange = 0;
  zDeviation = 0;
  sustained = 0;
  zSustained = 0;
  /** Mean of the last few values, and whether it is far outside the range of the days before. */
  smooth = 0;
  hasLeftRange = false;
  run = 0;
  /** Mean size of the last changes, in usual changes, and the difference of its logarithm from the usual one. */
  roughness = 0;
  roughnessChange = 0;
  zRoughness = 0;
  /** -log10 of the probability of such a long run of equal values; 0 for a series that may stay constant. */
  frozen = 0;
  /** Distances on the symmetric scale, and in usual distances. */
  evenChange = 0;
  evenDeviation = 0;
  zEvenChange = 0;
  zEvenDeviation = 0;
  private readonly even = new EvenScale();

  /** Intermediate values that the parts of a measurement share. */
  private open = false;
  private leastChance = 0;
  private independent = 0;
  /** The parts of the deviation and of the change that the minutes before and after do not explain. */
  private unexpected = 0;
  private unexplained = 0;

  /**
   * Computes this measurement; the record is only read. In two steps, because the compiler does not inline more into
   * one.
   */
  take(record: SeriesRecord, at: SeasonalPoint, value: number): void {
    const { f, p, b } = record;
    const least = max(TINY, smallestStep(p) * MIN_SPREAD);
    this.leastChance = leastBeyondChance(p);
    const memory = memoryOf(record);
    const open = (this.open = b[B.open] === 1);
    this.value = value;
    this.deviation = value - at.expected;
    this.spread = max(p[P.spread]!, least);
    this.changeSpread = max(p[P.changeSpread]!, least);

    const lasting = memory * p[P.memory]!;
    this.forecast = at.expected + lasting;
    this.change = this.deviation - lasting;
    // During an anomaly a point is also usual if it continues from the last normal value.
    const resumed = this.deviation - p[P.frozenMemory]!;
    const change = open && abs(resumed) < abs(this.change) ? resumed : this.change;
    // At a steep edge of the day a minute early or late is not a deviation to learn from.
    const isSteep = at.high - at.low > STEP * p[P.spread]!;
    this.unexpected = outside(this.deviation, at);
    this.unexplained = outside(change, at);
    this.ownDeviation = isSteep ? this.unexpected : this.deviation;
    this.learntChange = abs(isSteep ? outside(this.change, at) : this.change);
    this.zChange = inSpreads(this.unexplained, this.changeSpread);
    this.zDeviation = inSpreads(this.unexpected, this.spread);

    this.independent = (1 - memory) / (1 + memory);
    const size = min(abs(this.change) / this.changeSpread, ROUGHNESS_CAP);
    this.roughness = p[P.roughness]! + ROUGHNESS_RATE * ((isSteep ? min(size, 1) : size) - p[P.roughness]!);
    this.roughnessChange = log(this.roughness + 0.01) - p[P.roughnessLevel]!;
    const roughnessSpread = max(p[P.roughnessSpread]!, MIN_ROUGHNESS);
    this.zRoughness = inSpreads(this.roughnessChange, roughnessSpread) / discountOf(f[F.count]! * ROUGHNESS_RATE);

    this.smooth = smoothed(f, value);
    // One extreme row also moves the mean: this row and the one before must be outside the range, too.
    this.hasLeftRange =
      exceedsRange(record, this.smooth) && exceedsRange(record, value) && exceedsRange(record, f[F.previous]!);
    this.run = value === f[F.previous] ? p[P.run]! + 1 : 1;
    const leastRun = max(FROZEN_LEAST_ROWS, min(FROZEN_MOST_ROWS, FROZEN_SECONDS / at.resolution));
    this.frozen = this.run < leastRun ? 0 : frozen(record, this.run);
    this.takeEven(record);
  }

  /** The same deviations on the symmetric scale, and their lasting part. */
  private takeEven(record: SeriesRecord): void {
    const { f, p } = record;
    const { even, independent, leastChance, ownDeviation } = this;
    even.read(record);
    const here = even.of(ownDeviation);
    this.evenChange = here - even.of(ownDeviation - this.unexplained);
    this.evenDeviation = here - even.of(ownDeviation - this.unexpected);
    const n = f[F.count]!;
    const changeSpread = max(p[P.evenChangeSpread]!, leastChance);
    this.zEvenChange = inSpreads(this.evenChange, changeSpread) / discountOf(n);
    const deviationSpread = max(p[P.evenDeviationSpread]!, leastChance);
    this.zEvenDeviation = inSpreads(this.evenDeviation, deviationSpread) / discountOf(n * independent);
    const capped = max(-SUSTAINED_CAP, min(SUSTAINED_CAP, this.zEvenDeviation));
    this.sustained = p[P.sustained]! + (this.open ? SUSTAINED_RATE_OPEN : SUSTAINED_RATE) * (capped - p[P.sustained]!);
    const sustainedSpread = max(p[P.sustainedSpread]!, MIN_SUSTAINED);
    this.zSustained = inSpreads(this.sustained, sustainedSpread) / discountOf(n * independent * SUSTAINED_RATE);
  }
}

/** Share of a deviation that lasts to the next point: 0 for white noise, near 1 for slow series. */
export function memoryOf({ f, p }: SeriesRecord): number {
  const variance = p[P.memoryVariance]!;
  if (!(variance > 0) || f[F.count]! < 30) return 0;
  const memory = p[P.memoryCovariance]! / variance;
  return memory < 0.1 ? 0 : min(memory, 0.999);
}

/** The part of a deviation that the minutes before and after do not explain. */
function outside(deviation: number, at: SeasonalPoint): number {
  if (deviation > 0) return max(0, deviation - (at.high - at.expected));
  return min(0, deviation + (at.expected - at.low));
}

/** Minimum usual distance for tests of whether a deviation exceeds chance. */
export function leastBeyondChance(p: Float32Array): number {
  return max(TINY, smallestStep(p) * MIN_CHANCE);
}

export function inSpreads(deviation: number, spread: number): number {
  const z = deviation / spread;
  return z > MAX_SPREADS ? MAX_SPREADS : z < -MAX_SPREADS ? -MAX_SPREADS : z;
}

/** Divisor of a deviation, in usual deviations, for a number of independent points. */
export function discountOf(independentPoints: number): number {
  return 1 + INDEPENDENCE / sqrt(max(1, independentPoints));
}

/** The smallest step of the series so far; 0 if it has never changed. */
export function smallestStep(p: Float32Array): number {
  return p[P.quantum] === Infinity ? 0 : p[P.quantum]!;
}

function frozen({ f, p }: SeriesRecord, run: number): number {
  if (p[P.sameShare]! > FROZEN_SHARE) return 0;
  const isAtEnd = f[F.previous] === f[F.lowest] || f[F.previous] === f[F.highest];
  if (run <= (isAtEnd ? FROZEN_LONGER_AT_END : FROZEN_LONGER) * p[P.longestRun]!) return 0;
  return min(MAX_FROZEN, -run * log10(max(p[P.sameShare]!, 0.02)));
}
