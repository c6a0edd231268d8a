import { F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

const { abs, max } = Math;

/**
 * If the expectation has followed a step, the anomaly ends before the trouble does. The step back is the end of that
 * trouble and not a new one, if it has the same size as the first step and follows within half a day.
 */

const KNOWN_SECONDS = 43_200;
/** Number of rows for which the means of the last rows show a step back. */
const SEEN_ROWS = 40;
/**
 * Maximum size of the step back, as a share of the first step, and share of the step that must be visible for it to be
 * recognised.
 */
const MAX_SHARE = 1.2;
const MIN_SHARE = 0.5;

/**
 * Records that an anomaly has ended with a value at this distance from the expectation before it; 0: back at the
 * expectation.
 */
export function noteStepLeft({ f, p }: SeriesRecord, height: number, timestamp: number): void {
  if (timestamp - f[F.stepLeftAt]! > KNOWN_SECONDS) p[P.stepLeft] = 0;
  p[P.stepLeft] = p[P.stepLeft]! + height;
  f[F.stepLeftAt] = timestamp;
}

/**
 * True for evidence on this side (1 up, -1 down), `distance` from the expectation, that undoes a step. `usual`:
 * distance that is not significant. Once most of the step back is visible, the step is known for forty more rows.
 */
export function isReturn(
  { f, p }: SeriesRecord,
  side: number,
  distance: number,
  usual: number,
  timestamp: number,
  resolution: number,
): boolean {
  const height = p[P.stepLeft]!;
  if (height * side >= 0 || timestamp - f[F.stepLeftAt]! > KNOWN_SECONDS) return false;
  const size = abs(height);
  if (distance > max(MAX_SHARE * size, size + usual)) return false;
  const end = timestamp + SEEN_ROWS * resolution - KNOWN_SECONDS;
  if (distance > MIN_SHARE * size && end < f[F.stepLeftAt]!) f[F.stepLeftAt] = end;
  return true;
}

/** True while a step back that is mostly visible continues; false for a step of at most `usual`. */
export function isStepBackVisible(
  { f, p }: SeriesRecord,
  usual: number,
  timestamp: number,
  resolution: number,
): boolean {
  return abs(p[P.stepLeft]!) > usual && f[F.stepLeftAt]! <= timestamp + SEEN_ROWS * resolution - KNOWN_SECONDS;
}
