import { F, P } from './layout.js';
import { type SeriesRecord } from './series-record.js';

const { floor, max } = Math;

/**
 * A series that rises (or falls) nearly every hour and now and then jumps back: a leak with restarts, a disk that is
 * cleaned. The jump against the drift, to where the series has been, is no trouble.
 */

const HOUR_SECONDS = 3600;
const LEAST_ROWS = 2;
/** Hours over which the share of rising ones is learnt, and the share from which a drift is steady. */
const HOURS = 48;
const STEADY = 0.85;
/** Share of the range seen by which a restart may leave it; how far the first ones go is not known before so many hours. */
const TOLERANCE = 0.05;
const YOUNG_TOLERANCE = 1.5;
const YOUNG_FROM_HOURS = 24;
const YOUNG_HOURS = 120;

/** True where nearly every hour rises, or nearly every one falls. */
export function driftsSteadily(p: Float32Array): boolean {
  const rising = p[P.risingShare]!;
  return rising > STEADY || rising < 1 - STEADY;
}

/** True for a jump to this side (1 up, -1 down) that only takes back what a steady drift had added. */
export function isRestart(record: SeriesRecord, value: number, side: number): boolean {
  const { f, p } = record;
  if (!driftsSteadily(p)) return false;
  const rising = p[P.risingShare]!;
  const isAgainst = rising > 0.5 ? side < 0 : side > 0;
  const hours = p[P.driftHours]!;
  const isYoung = hours >= YOUNG_FROM_HOURS && hours < YOUNG_HOURS;
  const slack = (isYoung ? YOUNG_TOLERANCE : TOLERANCE) * (f[F.highest]! - f[F.lowest]!);
  return isAgainst && value > f[F.rangeLow]! - slack && value < f[F.rangeHigh]! + slack;
}

/** Compares the means of successive hours (two rows where those take longer). */
export function learnDrift(record: SeriesRecord, value: number, timestamp: number, resolution: number): void {
  const { f, p } = record;
  const hour = floor(timestamp / max(HOUR_SECONDS, LEAST_ROWS * resolution));
  if (hour !== p[P.driftHour]) {
    if (p[P.driftRows]! > 0) closeHour(record);
    p[P.driftHour] = hour;
    f[F.driftSum] = p[P.driftRows] = 0;
  }
  f[F.driftSum] = f[F.driftSum]! + value;
  p[P.driftRows] = p[P.driftRows]! + 1;
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
