import { B, F } from './layout.js';
import * as layout from './layout.js';
import { type SeriesRecord } from './series-record.js';

const { INTERVAL_RING, INTERVALS_AT } = layout;
/**
 * The pace of a series: the median of its last intervals, and whether they are regular (so that silence means
 * something).
 */

/** An interval is regular within this share of the median; the series when this share of its intervals is. */
const REGULAR_WITHIN = 0.3;
const REGULAR_SHARE = 0.8;

const sorted = new Float64Array(INTERVAL_RING);

/** Notes the interval between a point and the one before it, seconds > 0. */
export function noteInterval(record: SeriesRecord, interval: number): void {
  const seconds = Math.fround(interval);
  const { p, b } = record;
  const head = b[B.intervalHead]!;
  const count = b[B.intervalCount]!;
  const at = INTERVALS_AT + head;
  const replaced = count === INTERVAL_RING ? p[at]! : NaN;
  p[at] = seconds;
  b[B.intervalHead] = (head + 1) % INTERVAL_RING;
  if (count < INTERVAL_RING) b[B.intervalCount] = count + 1;
  // The usual case: the new interval equals the old one, so median and regularity stay.
  if (replaced !== seconds) readPace(record);
}

function readPace({ f, p, b }: SeriesRecord): void {
  const count = b[B.intervalCount]!;
  for (let i = 0; i < count; i++) {
    const interval = p[INTERVALS_AT + i]!;
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
