import { F, P } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

/**
 * Whether a series without a given type counts up. Senders of some protocols cannot say that a metric is a counter;
 * a counter shows by its values: never negative, they rise and fall only when they begin again near zero. One other fall,
 * and the series is a gauge permanently: a counter does not do that even once.
 */

const ROWS = 100;
const MIN_RISES = 10;
/** A fall to this share of the value before is a restart. */
const NEAR_ZERO = 0.1;
/** More restarts than this share of the rows: a switch or a queue, not a counter. */
const MAX_RESETS = 0.05;
const DECIDED = -1;

/**
 * Looks at the value of the next slot. True once, when it has become clear that the series is a counter. The value before
 * is kept where counters keep their last reading.
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
