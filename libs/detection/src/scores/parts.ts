import { F } from '../series/record/layout.js';
import { dailyDistance, type SeasonalPoint } from '../series/season/season.js';
import { type SeriesRecord } from '../series/record/series-record.js';
import * as layout from './score-record.js';
import { S, type ScoreRecord } from './score-record.js';
import { largestObserved, smallestObserved, Spacing } from './spacing.js';
import { Tails } from './tail.js';

const {
  LEVEL_ROWS,
  LEVEL_ROWS_AT,
  RESIDUAL_ROWS,
  RESIDUAL_ROWS_AT,
  RESTLESS_ROWS,
  RESTLESS_ROWS_AT,
  STREAM_DEVIATION,
  STREAM_RECENT,
  STREAM_RESTLESS,
  STREAM_STEP,
  VIEW_LEVEL,
  VIEW_RESIDUAL,
  VIEW_VALUE,
} = layout;
const { abs, log, max, min, sqrt } = Math;
const { isNaN } = Number;

/**
 * The parts of the scores, in the order of `Parts.values`; spacings in the order of their views, tails in that of their
 * streams.
 */
export const PART_NAMES = [
  'new_value',
  'new_level',
  'new_residual',
  'step',
  'recent',
  'deviation',
  'restless',
] as const;
export type PartName = (typeof PART_NAMES)[number];

export const NEW_VALUE = 0;
export const NEW_LEVEL = 1;
export const NEW_RESIDUAL = 2;
export const RARE_STEP = 3;
export const RARE_RECENT = 4;
export const RARE_DEVIATION = 5;
export const RARE_RESTLESS = 6;

/** The evidence of a distance grows with the number of rows seen: SCALE × (changed rows + FEW)^0.75. */
const SCALE = 0.45;
const FEW = 500;
const MAX_MOVES = 20_000;
/**
 * Distances that do not count, in usual steps of the view: a small one always, a larger one after long histories, in
 * which chance still sets new records.
 */
const GATE = 0.25;
const LONG_HISTORY = 8000;
const GATE_GROWTH = 1.5;
/** Rate of the recent mean that values are compared with, and of the usual restlessness. */
const RECENT_RATE = 0.2;
const RESTLESS_RATE = 0.003;
/** Number of rows with a known expectation before residuals count. */
const KNOWN_RESIDUALS = 60;
/** Minimum reference sizes of the tails, as shares of the seen range; for restlessness, of the logarithm. */
const MIN_REFERENCE = 0.01;
const MIN_RESTLESS = 0.05;
const RESTLESS_FLOOR = 2e-4;

/**
 * The parts of novelty, spike and score, for several views of the series: the distance from everything seen
 * (spacing.ts), and the rarity by the tails of the series (tail.ts). Computing the parts of a point also learns it,
 * even during an anomaly.
 */
export class Parts {
  readonly values = new Float64Array(PART_NAMES.length);
  private readonly spacing = new Spacing(this);
  private readonly tails = new Tails();
  /** The seen range, including this point, and the size of the step to it. */
  private range = 0;
  private move = 0;
  /** Number of rows up to this point, and number of those that changed the value. */
  private rows = 0;
  private moves = 0;

  /** Evidence per distance, for the spacing. */
  get evidence(): number {
    const root = sqrt(min(this.moves, MAX_MOVES) + FEW);
    return SCALE * root * sqrt(root);
  }

  get gate(): number {
    return GATE + (this.rows > LONG_HISTORY ? GATE_GROWTH * log(this.rows / LONG_HISTORY) : 0);
  }

  /**
   * `series` is only read; `value` is relative to its origin, `deviation` is its distance from the expectation. Call it
   * once per point, before the count is incremented.
   */
  take(record: ScoreRecord, series: SeriesRecord, at: SeasonalPoint, value: number, deviation: number): void {
    const { f } = record;
    const { values, spacing, tails } = this;
    const n = series.f[F.count]!;
    const step = n === 0 ? 0 : value - series.f[F.previous]!;
    if (step !== 0) f[S.moves] = f[S.moves]! + 1;
    const smallest = smallestObserved(record, VIEW_VALUE);
    const largest = largestObserved(record, VIEW_VALUE);
    const range = (this.range = max(largest, value) - min(smallest, value));
    this.move = abs(step);
    const rows = (this.rows = n + 1);
    this.moves = f[S.moves]!;

    spacing.values[VIEW_VALUE] = value;
    spacing.values[VIEW_LEVEL] = slide(record, n, S.levelSum, LEVEL_ROWS_AT, LEVEL_ROWS, value) / LEVEL_ROWS;
    const hasLevel = rows > LEVEL_ROWS;
    const residual = residualOf(at, value);
    if (!isNaN(residual)) f[S.residualRows] = f[S.residualRows]! + 1;
    const counted = isNaN(residual) ? 0 : residual;
    const lasting = slide(record, n, S.residualSum, RESIDUAL_ROWS_AT, RESIDUAL_ROWS, counted) / RESIDUAL_ROWS;
    const isKnown = f[S.residualRows]! > KNOWN_RESIDUALS;
    spacing.values[VIEW_RESIDUAL] = lasting;
    for (let view = VIEW_VALUE; view <= VIEW_RESIDUAL; view++) {
      const counts = view === VIEW_VALUE || (view === VIEW_LEVEL ? hasLevel : isKnown);
      if (counts) spacing.take(record, view);
      values[NEW_VALUE + view] = counts ? spacing.novelties[view]! : 0;
    }

    if (n === 0) f[S.recentMean] = value;
    // One absurd value must not move the mean to a level that no value has ever had.
    const reach = largest > smallest ? largest - smallest : Infinity;
    const recent = value - f[S.recentMean]!;
    f[S.recentMean] = f[S.recentMean]! + RECENT_RATE * max(-reach, min(reach, recent));
    tails.floor = MIN_REFERENCE * range;
    tails.values[STREAM_STEP] = step;
    tails.values[STREAM_RECENT] = recent;
    tails.values[STREAM_DEVIATION] = deviation;
    for (let stream = STREAM_STEP; stream <= STREAM_DEVIATION; stream++) {
      tails.take(record, stream);
      values[RARE_STEP + stream] = tails.surprises[stream]!;
    }
    this.takeRestlessness(record, n);
  }

  /** Restlessness: how much the series changes from row to row, at any level. */
  private takeRestlessness(record: ScoreRecord, n: number): void {
    const { f } = record;
    const { range, tails } = this;
    this.values[RARE_RESTLESS] = 0;
    const sum = slide(record, n, S.restlessSum, RESTLESS_ROWS_AT, RESTLESS_ROWS, this.move);
    if (!(range > 0) || n < RESTLESS_ROWS) return;
    const restlessness = log(max(0, sum) / RESTLESS_ROWS + RESTLESS_FLOOR * range);
    if (isNaN(f[S.restlessMean]!)) f[S.restlessMean] = restlessness;
    const change = restlessness - f[S.restlessMean]!;
    f[S.restlessMean] = f[S.restlessMean]! + RESTLESS_RATE * change;
    tails.floor = MIN_RESTLESS;
    tails.values[STREAM_RESTLESS] = change;
    tails.take(record, STREAM_RESTLESS);
    this.values[RARE_RESTLESS] = tails.surprises[STREAM_RESTLESS]!;
  }
}

/** The smaller of the distances to the expectation at this time of day and of the week; NaN while neither is known. */
function residualOf(at: SeasonalPoint, value: number): number {
  const daily = at.isSteepDay ? dailyDistance(at, value) : value - at.daily;
  const weekly = value - at.weekly;
  return abs(weekly) < abs(daily) || isNaN(daily) ? weekly : daily;
}

/**
 * Sum of the last rows of a ring, including `value`, with `n` rows before it; recomputed once per round, so that
 * rounding errors do not accumulate.
 */
function slide({ f, p }: ScoreRecord, n: number, sum: number, ring: number, rows: number, value: number): number {
  const row = ring + ((n | 0) % rows);
  const left = p[row]!;
  p[row] = value;
  if (row > ring) return (f[sum] = f[sum]! + p[row] - left);
  let total = 0;
  for (let i = ring; i < ring + rows; i++) total += p[i]!;
  return (f[sum] = total);
}
