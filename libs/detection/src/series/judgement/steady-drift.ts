import { B, F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { floor, max } = Math;

/**
 * A series that rises (or falls) nearly every hour and now and then jumps back: a leak with restarts, a disk that is
 * cleaned. The jump against the drift, to values that the series has had, is not trouble after the series is known to
 * restart: one that has drifted for days without a jump has an anomaly at the first.
 */

const HOUR_SECONDS = 3600;
const MIN_ROWS = 2;
/** Hours over which the share of rising ones is learnt, and the share from which a drift is steady. */
const HOURS = 48;
const STEADY = 0.85;
/** Share of the range seen by which a restart may leave it; how far the first ones go is not known before so many hours. */
const TOLERANCE = 0.05;
const YOUNG_TOLERANCE = 1.5;
const YOUNG_FROM_HOURS = 24;
const YOUNG_HOURS = 120;
/** Share of the range seen that is a restart for sure where nothing is known of restarts. */
const JUMP_SHARE = 0.25;

/** True where nearly every hour rises, or nearly every one falls. */
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
 * Increase by a steady drift in a second, by how far the expected value is from the mean of the hour before; 0 for
 * none.
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

/** An anomaly to this side has ended after so many seconds: a jump against a steady drift that lasted is how the series restarts. */
export function noteRestart({ p, b }: SeriesRecord, side: number, lasted: number): void {
  if (driftsSteadily(p) && isAgainst(p, side) && lasted >= HOUR_SECONDS) b[B.restarts] = 1;
}

/** Compares the means of successive hours (two rows where those take longer). */
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

/** True for this side (1 up, -1 down; any size) where the drift goes to the other. */
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
