import { F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

/**
 * Detects whether a series without a given type is a counter. Senders of some protocols cannot state that a metric is a
 * counter, but its values show it: they are never negative, rise, and fall only when they restart near zero. After one
 * other fall the series is a gauge permanently, because a counter never falls otherwise.
 */

const ROWS = 100;
const MIN_RISES = 10;
/** A fall to at most this share of the previous value is a restart. */
const NEAR_ZERO = 0.1;
/** With more restarts than this share of the rows, the series is a switch or a queue, not a counter. */
const MAX_RESETS = 0.05;
const DECIDED = -1;

/**
 * Processes the value of the next slot. Returns true once, when the series is recognised as a counter. The previous
 * value is stored where counters store their last reading.
 */
export function looksLikeCounter({ f, p }: SeriesRecord, slot: number, raw: number): boolean {
  const before = f[F.counterValue]!;
  f[F.counterValue] = raw;
  f[F.counterSlot] = slot;
  if (p[P.counterRows] === DECIDED) return false;
  const isRestart = raw < before && raw <= NEAR_ZERO * before;
  if (!(raw >= 0) || (raw < before && !isRestart)) {
    p[P.counterRows] = DECIDED;
    return false;
  }
  const rows = (p[P.counterRows] = p[P.counterRows]! + 1);
  if (raw > before) p[P.counterRises] = p[P.counterRises]! + 1;
  if (isRestart) p[P.counterResets] = p[P.counterResets]! + 1;
  if (rows < ROWS || p[P.counterRises]! < MIN_RISES) return false;
  p[P.counterRows] = DECIDED;
  return p[P.counterResets]! <= MAX_RESETS * rows;
}
