import { DAY_AT, DAY_BUCKETS, F } from './layout.js';
import { SEASON_NONE, type SeasonalPoint } from './season.js';
import { type SeriesRecord } from './series-record.js';

const { abs, floor, max, min } = Math;
const { isNaN } = Number;

/**
 * What begins and ends at about the same time of day: where the day has a step, all between its two sides is expected, ten
 * minutes early and late. Where a step has come earlier or later than that of late, it is forty; whether what was due came
 * at all is then asked when its time is over.
 */

/** Buckets of ten minutes to either side where the reach is wide. */
const MOST_REACH = 4;
/** What is left a day of the number of days that needed the wide reach, and the number from which it is wide. */
const LEFT_A_DAY = 0.85;
const DAYS_NEEDED = 1.5;
/** Share of a distance that the wide reach has to explain, to be counted as needed. */
const EXPLAINED = 0.75;

export class DayEdges {
  /** The day has a step within reach, and what lies between its sides. */
  isSteep = false;
  low = NaN;
  high = NaN;
  /** What was due did not come in all of its time, which ends with this point: its distance from what was seen; else 0. */
  missing = 0;
  /** The wide reach is in use. */
  isWide = false;

  /** `steep`: what of a change makes a step. */
  take(record: SeriesRecord, at: SeasonalPoint, value: number, steep: number): void {
    const { f, p } = record;
    this.isSteep = this.isWide = false;
    this.missing = 0;
    if (f[F.season] === SEASON_NONE || isNaN(at.dailyAt) || !(steep > 0)) {
      f[F.edgeHigh] = NaN;
      return;
    }
    this.low = at.dailyLow;
    this.high = at.dailyHigh;
    this.isWide = f[F.edgeDays]! >= DAYS_NEEDED;
    let low = at.dailyLow;
    let high = at.dailyHigh;
    for (let step = -MOST_REACH; step <= MOST_REACH; step++) {
      const bucket = p[DAY_AT + ((at.dayBucket + step + DAY_BUCKETS) % DAY_BUCKETS)]!;
      if (bucket < low) low = bucket;
      if (bucket > high) high = bucket;
    }
    const isStepNear = high - low > steep;
    if (isStepNear) this.noteNeed(f, at, value, low, high, steep);
    if (this.isWide) {
      this.low = low;
      this.high = high;
      this.watch(f, at, value, isStepNear, steep);
    } else f[F.edgeHigh] = NaN;
    this.isSteep = this.high - this.low > steep;
  }

  /** A day on which the wide reach explains what ten minutes do not. */
  private noteNeed(f: Float64Array, at: SeasonalPoint, value: number, low: number, high: number, steep: number): void {
    const near = distance(value, at.dailyLow, at.dailyHigh);
    if (!(near > steep) || distance(value, low, high) > (1 - EXPLAINED) * near) return;
    const day = floor(at.dayVisit / DAY_BUCKETS);
    if (f[F.edgeDay] === day) return;
    const days = f[F.edgeDay]! > 0 ? day - f[F.edgeDay]! : 0;
    f[F.edgeDays] = f[F.edgeDays]! * LEFT_A_DAY ** min(days, 60) + 1;
    f[F.edgeDay] = day;
  }

  /** Highest and lowest of what was seen and expected while steps are near; compared when they are over. */
  private watch(f: Float64Array, at: SeasonalPoint, value: number, isStepNear: boolean, steep: number): void {
    if (isStepNear) {
      if (isNaN(f[F.edgeHigh]!)) {
        f[F.edgeHigh] = f[F.edgeLow] = value;
        f[F.edgeDueHigh] = f[F.edgeDueLow] = at.daily;
      }
      f[F.edgeHigh] = max(f[F.edgeHigh]!, value);
      f[F.edgeLow] = min(f[F.edgeLow]!, value);
      f[F.edgeDueHigh] = max(f[F.edgeDueHigh]!, at.daily);
      f[F.edgeDueLow] = min(f[F.edgeDueLow]!, at.daily);
      return;
    }
    if (isNaN(f[F.edgeHigh]!)) return;
    const above = f[F.edgeDueHigh]! - f[F.edgeHigh]!;
    const below = f[F.edgeLow]! - f[F.edgeDueLow]!;
    if (max(above, below) > steep) this.missing = above > below ? -above : below;
    f[F.edgeHigh] = NaN;
  }
}

function distance(value: number, low: number, high: number): number {
  return value > high ? value - high : abs(min(0, value - low));
}
