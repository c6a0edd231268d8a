import { F, STREAM_CHANGE, STREAM_DEVIATION } from './layout.js';
import { type Measurement } from './measurement.js';
import { type SeasonalPoint } from './season.js';
import { type SeriesRecord } from './series-record.js';
import { tailQuantile } from './tail.js';

/** Share of normal points outside the range on each side: 99.2 % lie inside. */
const OUTSIDE_SHARE = 0.004;
/** Learnt points between two readings of the quantiles. */
const REFRESH = 16;

/** Expected value and range of a point, relative to the series' origin. */
export class ExpectedRange {
  expected = NaN;
  lower = NaN;
  upper = NaN;

  /**
   * The range as a forecast from the point before: around what lasts of the last deviations; while an anomaly is open
   * around the frozen expectation, since nothing newer is known to be normal.
   */
  read(record: SeriesRecord, at: SeasonalPoint, measured: Measurement): void {
    const { f } = record;
    if (f[F.rangeAge]! <= 0) refresh(record);
    if (f[F.open] === 1) {
      this.expected = at.expected;
      this.lower = at.low - f[F.deviationLow]! * measured.spread;
      this.upper = at.high + f[F.deviationHigh]! * measured.spread;
      return;
    }
    this.expected = measured.forecast;
    this.lower = measured.forecast - (at.expected - at.low) - f[F.changeLow]! * measured.changeSpread;
    this.upper = measured.forecast + (at.high - at.expected) + f[F.changeHigh]! * measured.changeSpread;
  }
}

function refresh(record: SeriesRecord): void {
  const { f } = record;
  f[F.rangeAge] = REFRESH;
  f[F.changeLow] = tailQuantile(record, STREAM_CHANGE, false, OUTSIDE_SHARE);
  f[F.changeHigh] = tailQuantile(record, STREAM_CHANGE, true, OUTSIDE_SHARE);
  f[F.deviationLow] = tailQuantile(record, STREAM_DEVIATION, false, OUTSIDE_SHARE);
  f[F.deviationHigh] = tailQuantile(record, STREAM_DEVIATION, true, OUTSIDE_SHARE);
}
