import { B, F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { floor, max } = Math;

/**
 * A series that rises (or falls) nearly every hour and sometimes jumps back: a leak with restarts, a disk that is
 * cleaned. The jump against the drift, to values that the series has had before, is not trouble once the series is
 * known to restart: if it has drifted for days without a jump, the first jump is an anomaly.
 */

const HOUR_SECONDS = 3600;
const MIN_ROWS = 2;
/** Number of hours over which the share of rising hours is learnt, and the share from which a drift is steady. */
const HOURS = 48;
const STEADY = 0.85;
/**
 * Share of the seen range by which a restart may go beyond it. For the first restarts the share is larger, because
 * their size is not known before this many hours.
 */
const TOLERANCE = 0.05;
const YOUNG_TOLERANCE = 1.5;
const YOUNG_FROM_HOURS = 24;
const YOUNG_HOURS = 120;
/** Share of the seen range from which a jump is certainly a restart if no restart is known. */
const JUMP_SHARE = 0.25;

/** True if nearly every hour rises, or nearly every hour falls. */
export function driftsSteadily(p: Float32Array): boolean {
  const rising = p[P.risingShare]!;
  return rising > STEADY || rising < 1 - STEADY;
}

/** True for a jump to this side (1 up, -1 down) that only undoes the increase of a steady drift. */
export function isRestart(record: SeriesRecord, value: number, side: number): boolean {
  const { f, p, b } = record;
  if (!driftsSteadily(p)) return false;
  const hours = p[P.driftHours]!;
  if (b[B.restarts] === 0 && hours >= YOUNG_HOURS) return false;
  const isYoung = hours >= YOUNG_FROM_HOURS && hours < YOUNG_HOURS;
  const slack = (isYoung ? YOUNG_TOLERANCE : TOLERANCE) * (f[F.highest]! - f[F.lowest]!);
  const isKnown = b[B.restarts] === 1;
  const low = isKnown ? f[F.lowest]! : f[F.rangeLow]!;
  const high = isKnown ? f[F.highest]! : f[F.rangeHigh]!;
  return isAgainst(p, side) && value > low - slack && value < high + slack;
}

/**
 * Increase per second by a steady drift, from the distance of the expected value to the mean of the hour before; 0
 * without one.
 */
export function driftRate({ f, p }: SeriesRecord, expected: number, timestamp: number, resolution: number): number {
  if (!driftsSteadily(p)) return 0;
  const seconds = hourSeconds(resolution);
  return (expected - f[F.driftMean]!) / (timestamp - (p[P.driftHour]! - 0.5) * seconds);
}

/**
 * A jump that counts as a restart: such a large share of the seen range is not chance, and shows how the series
 * restarts.
 */
export function noteJump({ f, b }: SeriesRecord, distance: number): void {
  if (distance > JUMP_SHARE * (f[F.highest]! - f[F.lowest]!)) b[B.restarts] = 1;
}

/**
 * An anomaly on this side has ended after this many seconds: if it was a lasting jump against a steady drift, the
 * series restarts with such jumps.
 */
export function noteRestart({ p, b }: SeriesRecord, side: number, lasted: number): void {
  if (driftsSteadily(p) && isAgainst(p, side) && lasted >= HOUR_SECONDS) b[B.restarts] = 1;
}

/** Compares the means of successive hours (or of two rows, if they are further apart). */
export function learnDrift(record: SeriesRecord, value: number, timestamp: number, resolution: number): void {
  const { f, p } = record;
  const hour = floor(timestamp / hourSeconds(resolution));
  if (hour !== p[P.driftHour]) {
    if (p[P.driftRows]! > 0) closeHour(record);
    p[P.driftHour] = hour;
    f[F.driftSum] = p[P.driftRows] = 0;
  }
  f[F.driftSum] = f[F.driftSum]! + value;
  p[P.driftRows] = p[P.driftRows]! + 1;
}

/** True if the drift has the opposite direction (1 up, -1 down; any absolute value). */
function isAgainst(p: Float32Array, side: number): boolean {
  return p[P.risingShare]! > 0.5 ? side < 0 : side > 0;
}

function hourSeconds(resolution: number): number {
  return max(HOUR_SECONDS, MIN_ROWS * resolution);
}

function closeHour({ f, p }: SeriesRecord): void {
  const mean = f[F.driftSum]! / p[P.driftRows]!;
  const hours = p[P.driftHours]!;
  if (hours === 0) p[P.risingShare] = 0.5;
  else {
    const rises = mean > f[F.driftMean]! ? 1 : mean < f[F.driftMean]! ? 0 : 0.5;
    p[P.risingShare] = p[P.risingShare]! + max(1 / (hours + 1), 1 / HOURS) * (rises - p[P.risingShare]!);
  }
  p[P.driftHours] = hours + 1;
  f[F.driftMean] = mean;
}
