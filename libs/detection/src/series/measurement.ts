import { ANOMALY_KINDS } from '#libs/contracts';
import { F, STREAM_CHANGE, STREAM_DEVIATION, STREAM_SPREAD, STREAM_SUSTAINED } from './layout.js';
import { noveltyOf } from './novelty.js';
import { type SeasonalPoint, spreadAt, STEP } from './season.js';
import { leavesRange, smoothed } from './seen-range.js';
import { type SeriesRecord } from './series-record.js';
import { MOST_SURPRISE, surprise } from './tail.js';

const { abs, log, log10, max, min, sqrt } = Math;

/** Tests, in the order of the evidence kept at an anomaly's peak. */
export const TESTS = [
  'sudden_change',
  'deviation',
  'sustained_shift',
  'spread',
  'new_value',
  'frozen_value',
  'new_range',
] as const;
export type Test = (typeof TESTS)[number];

/**
 * Weight of novelty beside the rarest deviation, and the rarity from which it counts at all: the record of an ordinary
 * day is new too. A new value alone never alarms.
 */
const NOVELTY_WEIGHT = 0.5;
const NOVELTY_FROM = 3.5;
/** Caps of what one point may do to the running means: a spike is no shift and no spread. */
const SUSTAINED_CAP = 4;
const ROUGHNESS_CAP = 4;
/** Points over which a deviation counts as sustained; shorter while an anomaly is open, so that its end is seen soon. */
const SUSTAINED_RATE = 1 / 12;
const SUSTAINED_RATE_OPEN = 0.3;
const ROUGHNESS_RATE = 1 / 24;
/** Deviations are discounted by 1 + this / sqrt(independent points): slow series have seen less than their length says. */
const INDEPENDENCE = 1.5;
/** Equal values in a row before a value may be frozen, and how much longer than ever before the run must be. */
const FROZEN_LEAST = 12;
const FROZEN_LONGER = 3;
/** Series with more unchanged steps than this are not expected to move. */
const FROZEN_SHARE = 0.97;
/** Least usual deviation, in the smallest step the series ever made: counts that are mostly zero. */
const LEAST_SPREAD = 0.05;
const MOST_SPREADS = 1e6;
const VARIANCE_CHANGE = ANOMALY_KINDS.indexOf('variance_change');

/** What one point looks like against everything before it. Deviations in units of the series; `z` in usual deviations. */
export class Measurement {
  value = 0;
  deviation = 0;
  /** Usual deviation at this time of day, from the expectation and from the forecast. */
  spread = 0;
  changeSpread = 0;
  /** One-step forecast: expectation plus what lasts of the last deviations. */
  forecast = 0;
  change = 0;
  /** Sizes of deviation and change that the spreads learn from. */
  learntDeviation = 0;
  learntChange = 0;
  zChange = 0;
  zDeviation = 0;
  sustained = 0;
  zSustained = 0;
  roughness = 0;
  zSpread = 0;
  run = 0;
  /** Mean of the last few values. */
  smooth = 0;
  /** -log10 of probability per test; novelty in its own unit. */
  readonly evidence = new Float64Array(TESTS.length);
  /** The evidence as one number. */
  total = 0;

  /** Fills this measurement; the record is read only. */
  take(record: SeriesRecord, at: SeasonalPoint, value: number): void {
    const { f } = record;
    const quantum = f[F.quantum]!;
    const least = max(1e-300, quantum === Infinity ? 0 : quantum * LEAST_SPREAD);
    const memory = memoryOf(f);
    const open = f[F.open] === 1;
    this.value = value;
    this.deviation = value - at.expected;
    this.spread = max(spreadAt(record, at.dayBucket), least);
    const louder = f[F.spread]! > 0 ? this.spread / max(f[F.spread]!, least) : 1;
    this.changeSpread = max(f[F.changeSpread]! * louder, least);

    const lasting = memory * f[F.memory]!;
    this.forecast = at.expected + lasting;
    this.change = this.deviation - lasting;
    // During an anomaly a point is also usual when it continues from where the series was before.
    const resumed = this.deviation - f[F.frozenMemory]!;
    const change = open && abs(resumed) < abs(this.change) ? resumed : this.change;
    // At a steep edge of the day a minute early or late is no deviation to learn from.
    const isSteep = at.high - at.low > STEP * f[F.spread]!;
    this.learntDeviation = abs(isSteep ? outside(this.deviation, at) : this.deviation);
    this.learntChange = abs(isSteep ? outside(this.change, at) : this.change);
    this.zChange = normalise(outside(change, at), this.changeSpread);
    this.zDeviation = normalise(outside(this.deviation, at), this.spread);

    const capped = max(-SUSTAINED_CAP, min(SUSTAINED_CAP, this.zDeviation));
    this.sustained = f[F.sustained]! + (open ? SUSTAINED_RATE_OPEN : SUSTAINED_RATE) * (capped - f[F.sustained]!);
    this.zSustained = normalise(this.sustained, max(f[F.sustainedSpread]!, 0.02));

    const step = min(abs(this.change) / this.changeSpread, ROUGHNESS_CAP);
    this.roughness = f[F.roughness]! + ROUGHNESS_RATE * (step - f[F.roughness]!);
    this.zSpread = normalise(log(this.roughness + 0.01) - f[F.roughnessMean]!, max(f[F.roughnessSpread]!, 0.05));
    this.run = value === f[F.previous] ? f[F.run]! + 1 : 1;
    this.smooth = smoothed(f, value);
    this.weigh(record, memory);
  }

  private weigh(record: SeriesRecord, memory: number): void {
    const { f } = record;
    const { evidence } = this;
    const independent = (1 - memory) / (1 + memory);
    const discount = (stream: number, share: number): number =>
      1 + INDEPENDENCE / sqrt(max(1, f[F.tail0 + stream]! * share));
    evidence[0] = surprise(record, STREAM_CHANGE, this.zChange / discount(STREAM_CHANGE, 1));
    evidence[1] = surprise(record, STREAM_DEVIATION, this.zDeviation / discount(STREAM_DEVIATION, independent));
    const sustainedShare = independent * SUSTAINED_RATE;
    evidence[2] = surprise(record, STREAM_SUSTAINED, this.zSustained / discount(STREAM_SUSTAINED, sustainedShare));
    evidence[3] = surprise(record, STREAM_SPREAD, this.zSpread / discount(STREAM_SPREAD, ROUGHNESS_RATE));
    evidence[4] = noveltyOf(record, this.value);
    evidence[5] = frozen(f, this.run);
    evidence[6] = leavesRange(f, this.smooth);
    const deviating = max(evidence[0], evidence[1], evidence[2]);
    // The end of any anomaly is rough: only one about the spread is kept open by it.
    const rough = f[F.open] === 1 && f[F.kind] !== VARIANCE_CHANGE ? 0 : evidence[3];
    const news = max(0, min(NOVELTY_WEIGHT * evidence[4], deviating - NOVELTY_FROM));
    this.total = max(deviating + news, rough, evidence[5], evidence[6]);
  }
}

/** How much of a deviation lasts to the next point: 0 for white noise, near 1 for slow series. */
export function memoryOf(f: Float64Array): number {
  const variance = f[F.memoryVariance]!;
  if (!(variance > 0) || f[F.count]! < 30) return 0;
  const memory = f[F.memoryCovariance]! / variance;
  return memory < 0.1 ? 0 : min(memory, 0.999);
}

/** The part of a deviation that the minutes before and after do not explain. */
function outside(deviation: number, at: SeasonalPoint): number {
  if (deviation > 0) return max(0, deviation - (at.high - at.expected));
  return min(0, deviation + (at.expected - at.low));
}

function normalise(deviation: number, spread: number): number {
  const z = deviation / spread;
  return z > MOST_SPREADS ? MOST_SPREADS : z < -MOST_SPREADS ? -MOST_SPREADS : z;
}

function frozen(f: Float64Array, run: number): number {
  if (run < FROZEN_LEAST || run <= FROZEN_LONGER * f[F.longestRun]! || f[F.sameShare]! > FROZEN_SHARE) return 0;
  return min(MOST_SURPRISE, -run * log10(max(f[F.sameShare]!, 0.02)));
}
