import { LOWEST_BAR } from './false-alarm-budget.js';
import { beyond, type Forecasters, STEP_UNSURE } from '../expectation/forecasters.js';
import { B, F, P } from '../record/layout.js';
import { SEASON_NONE, SEASON_WEEKLY, type SeasonalPoint, STEP } from '../season/season.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs, max, min } = Math;

/**
 * The active season as a separate witness, regardless of the forecaster that judges: the last rows follow a slow
 * morning, and if day or week may explain a row, a Thursday may look like a Sunday. The witness is the mean, over half
 * an hour, of the residuals of the season relative to an offset that moves within hours. It is compared with its own
 * tail. How far that tail is trusted depends on how often it has changed sides and not on its number of rows, because
 * slow series have few independent excursions.
 */

const DAY_SECONDS = 86_400;
/**
 * Period of the mean: long enough that noise of single rows hardly counts, and short compared with an outage. For slow
 * series a few rows.
 */
const HORIZON_SECONDS = 1800;
const HORIZON_ROWS = 3;
/**
 * The offset moves within this many periods of the mean, six hours: it includes the level of yesterday, but hardly the
 * trouble of this morning.
 */
const OFFSET_HORIZONS = 12;
/**
 * Limit of the effect of one row on the mean and on the offset, in units of the size that one mean in 100 exceeds: a
 * spike is not a bad morning.
 */
const ROW_CAP = 10;
const OFFSET_CAP = 2;
/**
 * Limit in these sizes: an exponential tail reaches 2.2 of them once in 400 days of half hours; slow weeks have a
 * heavier tail.
 */
const LIMIT = 3.5;
/** Number of changes of side at which the limit is twice that, and time for which they are remembered. */
const TRUSTED_TURNS = 30;
const MEMORY_SECONDS = 21 * DAY_SECONDS;
/**
 * A change of sides counts from this share of the size that one mean in ten exceeds: noise around 0 is not a change of
 * sides.
 */
const MIN_TURN = 0.5;
/** For a normal tail: the size that one in 100 exceeds over the size that one in ten exceeds. */
const OUTER_OVER_INNER = 1.57;
/** Steps of these sizes within the period of a mean, late and early, as shares of the sizes. */
const SIZE_STEP = 0.05;
const FIRST_SIZE_STEPS = 2;
const MAX_SIZE_STEP = 0.2;
/**
 * Share of the mean by which the row itself must deviate, on the same side: a deviation that has ended is not evidence,
 * and soon not an anomaly.
 */
const STILL_AWAY = 0.25;
const CONFIRMING_DEVIATION = 0.5;
/** Share of the limit above which an anomaly that has exceeded it continues. */
const CONFIRMING_SHARE = 0.5;

/** Evidence of one row; scratch of a detector. */
export class SeasonWitness {
  /** In limits: the lowest bar opens an anomaly. */
  evidence = 0;
  /** Mean distance from the expectation of the season, over half an hour. */
  distance = 0;
  /** True if the season is the week. */
  isWeek = false;
  private isKnown = false;
  private last = 0;
  private ofOffset = 0;

  /**
   * `harder`: the factor by which reaching a size by chance is harder at this number of rows a day than at a row a
   * minute.
   */
  take(record: SeriesRecord, at: SeasonalPoint, forecasters: Forecasters, harder: number): void {
    const { f, p, b } = record;
    this.evidence = this.distance = 0;
    this.isWeek = b[B.season] === SEASON_WEEKLY;
    // In the first week, nothing can explain a weekend yet.
    const isFirstWeek = f[F.period] === DAY_SECONDS && Number.isNaN(at.weeklyAt);
    this.isKnown = b[B.season] !== SEASON_NONE && !isFirstWeek && !Number.isNaN(this.isWeek ? at.weeklyAt : at.dailyAt);
    if (!this.isKnown) return;
    const residual = (this.last = this.residual(record, at, forecasters));
    const outer = max(p[P.witnessOuter]!, OUTER_OVER_INNER * p[P.witnessInner]!);
    const capped = outer > 0 ? max(-ROW_CAP * outer, min(ROW_CAP * outer, residual)) : residual;
    this.ofOffset = max(-OFFSET_CAP * outer, min(OFFSET_CAP * outer, residual));
    const mean = (this.distance = p[P.witnessMean]! + rateOf(at) * (capped - p[P.witnessMean]!));
    const turns = p[P.witnessTurns]!;
    if (turns <= 1 || outer === 0 || residual * mean <= 0 || abs(residual) < STILL_AWAY * abs(mean)) return;
    this.evidence = (LOWEST_BAR * abs(mean)) / (LIMIT * outer * harder * (1 + TRUSTED_TURNS / (turns + 1)));
  }

  /** True while the season still confirms an open anomaly that it has confirmed with certainty since its start. */
  stillConfirms({ b }: SeriesRecord): boolean {
    const side = this.distance < 0 ? -1 : 1;
    if (this.evidence >= LOWEST_BAR) b[B.heldWitness] = side;
    const isStill = this.last * side > CONFIRMING_DEVIATION * abs(this.distance);
    return isStill && this.evidence > CONFIRMING_SHARE * LOWEST_BAR && b[B.heldWitness] === side;
  }

  /** All except the mean is frozen while an anomaly is open, and at the row that opens it. */
  learn({ p, b }: SeriesRecord, at: SeasonalPoint, isTrouble: boolean): void {
    if (!this.isKnown) return;
    const mean = (p[P.witnessMean] = this.distance);
    if (isTrouble || b[B.open] === 1) return;
    const rate = rateOf(at);
    const turns = p[P.witnessTurns]!;
    const step = rate * max(SIZE_STEP, min(MAX_SIZE_STEP, FIRST_SIZE_STEPS / (1 + turns)));
    const inner = p[P.witnessInner]!;
    p[P.witnessOuter] = quantile(p[P.witnessOuter]!, abs(mean), step, 0.99);
    p[P.witnessInner] = quantile(inner, abs(mean), step, 0.9);
    const isTurn = abs(mean) > MIN_TURN * inner && mean * b[B.witnessSide]! <= 0;
    if (isTurn) b[B.witnessSide] = mean > 0 ? 1 : -1;
    p[P.witnessTurns] = turns * (1 - min(1, at.resolution / MEMORY_SECONDS)) + (isTurn ? 1 : 0);
    p[P.witnessOffset] = p[P.witnessOffset]! + (rate / OFFSET_HORIZONS) * this.ofOffset;
  }

  /**
   * The residual of the season, relative to its offset; next to a step, values between its sides are explained. If the
   * day is active, values that the week explains are also explained: the first weekends after a fortnight are not news.
   */
  private residual({ p }: SeriesRecord, at: SeasonalPoint, { value, edges }: Forecasters): number {
    const besideOffset = value - p[P.witnessOffset]!;
    const steep = STEP * p[P.spread]!;
    const ofWeek = residualOf(besideOffset, at.weeklyAt, at.weekLow, at.weekHigh, steep);
    if (this.isWeek) return nearer(ofWeek, besideStep(besideOffset, edges));
    const ofDay = residualOf(besideOffset, at.dailyAt, at.dailyLow, at.dailyHigh, steep);
    return nearer(Number.isNaN(ofWeek) ? ofDay : nearer(ofDay, ofWeek), besideStep(besideOffset, edges));
  }
}

/** Distance from the expectation, or from the nearer side of a step of it. */
function residualOf(value: number, expected: number, low: number, high: number, steep: number): number {
  return high - low > steep ? beyond(value, low, high) : value - expected;
}

/** Distance from the nearer side of a steep edge of the day; Infinity if there is none. */
function besideStep(value: number, { isSteep, low, high }: Forecasters['edges']): number {
  const unsure = STEP_UNSURE * (high - low);
  return isSteep ? beyond(value, low - unsure, high + unsure) : Infinity;
}

function nearer(one: number, other: number): number {
  return abs(other) < abs(one) ? other : one;
}

/** Period of the mean, in seconds, for rows that are this many seconds apart. */
export function witnessSeconds(resolution: number): number {
  return max(HORIZON_SECONDS, HORIZON_ROWS * resolution);
}

/**
 * At the peak of the open anomaly, where the season expected `expected`: the mean, and its usual range in 98 of 100
 * rows.
 */
export function usualMean({ p }: SeriesRecord, expected: number): { lower: number; upper: number; mean: number } {
  const middle = expected + p[P.witnessOffset]!;
  const outer = p[P.witnessOuter]!;
  return { lower: middle - outer, upper: middle + outer, mean: middle + p[P.peakMean]! };
}

/** Another season became active: everything that was learnt about the previous one is invalid. */
export function restartWitness({ p, b }: SeriesRecord): void {
  p.fill(0, P.witnessOffset, P.witnessTurns + 1);
  b[B.witnessSide] = 0;
}

/** An anomaly has ended: its traces in the mean are not a sign of another. */
export function resetWitnessAfterAnomaly({ p }: SeriesRecord): void {
  p[P.witnessMean] = 0;
}

/** The season has moved to a new normal, which includes the former offset. */
export function acceptWitness({ p }: SeriesRecord): void {
  p[P.witnessOffset] = 0;
}

function rateOf({ resolution }: SeasonalPoint): number {
  return resolution / witnessSeconds(resolution);
}

/** Moves a streaming quantile by a share of itself: up if the size is beyond it, else down. */
function quantile(known: number, size: number, step: number, share: number): number {
  if (known === 0) return size;
  return known * (1 + step * (size > known ? share : share - 1));
}
