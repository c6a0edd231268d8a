import { B, F } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { intervalAt, keepInterval } from '../record/size-cells.js';
import { type SeriesRecord } from '../record/series-record.js';

const { INTERVAL_RING } = layout;
/**
 * The pace of a series: the median of its last intervals, and whether they are regular (only then is silence
 * significant).
 */

/**
 * An interval is regular if it is within this share of the median; a series is regular if this share of its intervals
 * is regular.
 */
const REGULAR_WITHIN = 0.3;
const REGULAR_SHARE = 0.8;

const sorted = new Float64Array(INTERVAL_RING);

/** Records the interval between a point and the one before it, seconds > 0. */
export function noteInterval(record: SeriesRecord, seconds: number): void {
  const { b } = record;
  const head = b[B.intervalHead]!;
  const count = b[B.intervalCount]!;
  const isOther = keepInterval(record, head, seconds);
  b[B.intervalHead] = (head + 1) % INTERVAL_RING;
  if (count < INTERVAL_RING) b[B.intervalCount] = count + 1;
  // The usual case: the new interval equals the old one, so median and regularity do not change.
  if (isOther || count < INTERVAL_RING) readPace(record);
}

function readPace(record: SeriesRecord): void {
  const { f, b } = record;
  const count = b[B.intervalCount]!;
  for (let i = 0; i < count; i++) {
    const interval = intervalAt(record, i);
    let at = i;
    while (at > 0 && sorted[at - 1]! > interval) {
      sorted[at] = sorted[at - 1]!;
      at--;
    }
    sorted[at] = interval;
  }
  const middle = count >> 1;
  const median = count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  let alike = 0;
  for (let i = 0; i < count; i++) if (Math.abs(sorted[i]! - median) <= REGULAR_WITHIN * median) alike++;
  f[F.resolution] = median;
  b[B.regular] = count === INTERVAL_RING && alike >= REGULAR_SHARE * count ? 1 : 0;
}
