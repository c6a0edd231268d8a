import { type MetricType } from '#libs/contracts';
import { F } from '../record/layout.js';
import { type SeriesRecord } from '../record/series-record.js';

/** Seconds between two resets of a counter that explain a low rate. */
const RESETS_APART = 3600;

/**
 * The value that is analysed: the value itself for a gauge, a per-second rate for a counter (a fall is a reset, counted
 * from 0) and for a `rate` (a delta over its interval). NaN if there is none yet (first reading of a counter). `slot`
 * increases from call to call; `interval` is the pace of the series in seconds, NaN while unknown.
 */
export function analysedValue(
  { f }: SeriesRecord,
  type: MetricType,
  slot: number,
  raw: number,
  slotSeconds: number,
  interval: number,
): number {
  if (type === 'gauge') return raw;
  if (type === 'rate') {
    const seconds = Math.max(slotSeconds, Number.isNaN(interval) ? 0 : interval);
    const rate = raw / seconds;
    return seconds > 0 && Number.isFinite(rate) ? rate : NaN;
  }
  const before = f[F.counterValue]!;
  const seconds = slot - f[F.counterSlot]!;
  f[F.counterValue] = raw;
  f[F.counterSlot] = slot;
  if (Number.isNaN(before) || !(seconds > 0)) return NaN;
  // A counter that restarts constantly is itself an anomaly.
  if (raw < before && !(slot - f[F.counterReset]! < RESETS_APART)) f[F.counterReset] = slot;
  const rate = (raw >= before ? raw - before : Math.max(raw, 0)) / seconds;
  return Number.isFinite(rate) ? rate : NaN;
}
