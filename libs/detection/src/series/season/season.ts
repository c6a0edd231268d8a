import { B, F, P } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { beyondStep, DistanceRow, halfAt, HalfRow, nearerOf } from '../record/packed-row.js';
import { type SeriesRecord } from '../record/series-record.js';

const { DAY_AT, DAY_BUCKETS, DAY_VISITS_AT, WEEK_AT, WEEK_BUCKETS, WEEK_VISITS_AT } = layout;
const { PERIOD_FOUND } = layout;
const { abs, floor, max, min, round, sqrt } = Math;
const { isNaN } = Number;
const TINY = 1e-300;

/**
 * The behaviour of a series by time of day and of the week. Each bucket stores its expectation and the mean of its last
 * visit; the expectation moves towards the median of this visit, the last visit and the expectation. One bad day
 * therefore changes nothing, and a value that occurs twice at the same time is expected the third time, however large
 * it is.
 *
 * The expectation is used only while it predicts clearly better than the plain level (and the weekly one better than
 * the daily one); errors are squared, capped and compared over the same points.
 */

export const SEASON_NONE = 0;
export const SEASON_DAILY = 1;
export const SEASON_WEEKLY = 2;

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 604_800;
const WEEK_WIDTH = WEEK_SECONDS / WEEK_BUCKETS;
/** Share of an hour in which the hour before or after also counts: features start slightly early or late. */
const EDGE = 1 / 6;
/** Share of an ordinary change that is learnt per day, and per week. */
const DAILY_RATE = 0.3;
const WEEKLY_RATE = 0.4;
/**
 * A confirmed change of this many spreads is learnt completely; from the second number on, a larger share is learnt
 * than of an ordinary change.
 */
const WHOLE_CHANGE = 6;
const MORE_CHANGE = 2;
/** Neighbours that differ by this many spreads are a step, not a slope. */
export const STEP = 6;
/** A slope is at most this many times as steep as its continuation. */
const MAX_STEEPENING = 4;
/** Share of the points of a day that must have been repeated before the daily pattern is known. */
const SEEN_SHARE = 0.75;
/** With fewer points a day than this, a day is poorly described, and more days are needed. */
const MIN_SLOTS_A_DAY = 12;
/** Number of days over which level and daily expectation are compared: one unusual day must not decide. */
const COMPARED_DAYS = 3;
/**
 * Minimum number of rows in a comparison, minimum number of points in it, and number of standard errors by which an
 * expectation must be better.
 */
const MIN_COMPARED = 100;
const MIN_CHECKED = 24;
const NO_LUCK = 1.7;
/** Errors count up to this many spreads (squared below). */
const ERROR_CAP = 10;
/**
 * A better expectation becomes active if its error is below the first share of the other, and inactive above the
 * second.
 */
const TAKE_UP = 0.75;
const GIVE_UP = 0.95;
/** The same for the roots. */
const TAKE_UP_ROOT = Math.sqrt(TAKE_UP);
const GIVE_UP_ROOT = Math.sqrt(GIVE_UP);
const MIDPOINT_ROOT = Math.sqrt((TAKE_UP + GIVE_UP) / 2);
/** Fractions of a day that may be periods: from an hour to twelve hours. */
const DAY_PARTS = [24, 12, 8, 6, 4, 3, 2];
/** Buckets that are a fraction of the day apart are equal below this share of the usual distance to the level. */
const SAME_SHARE = 0.25;
/**
 * The difference must also be below this share of the largest change over shorter shifts: a smooth or square profile
 * does not repeat.
 */
const REPEATS_SHARE = 0.5;
/** History needed before an expectation may be used. */
const PERIODS_BEFORE = 2;
const WEEKLY_AFTER = 2 * WEEK_SECONDS - DAY_SECONDS / 4;

const day = new HalfRow({ at: DAY_AT, cells: DAY_BUCKETS, scale: F.dayScale, unit: P.dayUnit });
const dayVisits = new DistanceRow({ at: DAY_VISITS_AT, cells: DAY_BUCKETS, unit: B.dayVisitUnit });
const week = new HalfRow({ at: WEEK_AT, cells: WEEK_BUCKETS, scale: F.weekScale, unit: P.weekUnit });
const weekVisits = new DistanceRow({ at: WEEK_VISITS_AT, cells: WEEK_BUCKETS, unit: B.weekVisitUnit });
const sorted = new Float64Array(DAY_BUCKETS);
/** The current bucket, between those before and after it; for the week, two on each side. */
const around = new Float64Array(3);
const aroundHour = new Float64Array(5);

/** The time of a point, its position in day and week, and its expectation. One scratch object per detector. */
export class SeasonalPoint {
  /** Unix seconds, the same time as local wall-clock seconds, and the usual seconds between points. */
  timestamp = NaN;
  localSeconds = NaN;
  resolution = 60;
  /** Buckets of the day since the epoch, including the elapsed part of this one. */
  inDay = NaN;
  dayBucket = 0;
  weekBucket = 0;
  /** The bucket, counted from the epoch: a series of one point a day visits the same bucket every time. */
  dayVisit = 0;
  weekVisit = 0;
  /** The values of the bucket of the day and its neighbours, relative to the series' origin; NaN when not known. */
  daily = NaN;
  dailyBefore = NaN;
  dailyAfter = NaN;
  weekly = NaN;
  weekLow = NaN;
  weekHigh = NaN;
  /** The same, interpolated along the slope between buckets. */
  dailyAt = NaN;
  weeklyAt = NaN;
  /** Lowest and highest of the three buckets, and whether the daily profile has a step here. */
  dailyLow = NaN;
  dailyHigh = NaN;
  isSteepDay = false;
  /** Current expectation, and the lowest and highest expectation of the ten minutes before and after: jobs start a little early or late. */
  expected = 0;
  low = 0;
  high = 0;

  /** Reads the expectations at a time, and at the same time as local wall-clock seconds (Unix seconds both). */
  locate(record: SeriesRecord, timestamp: number, localSeconds: number): void {
    const { f, p, b } = record;
    this.timestamp = timestamp;
    this.localSeconds = localSeconds;
    this.expected = this.low = this.high = f[F.level]!;
    const period = f[F.period]!;
    if (period === 0) {
      this.daily = this.weekly = this.dailyAt = this.weeklyAt = NaN;
      this.isSteepDay = false;
      return;
    }
    const inDay = (this.inDay = periodsAt(record, timestamp, localSeconds, period) * DAY_BUCKETS);
    this.dayVisit = floor(inDay);
    this.dayBucket = mod(this.dayVisit, DAY_BUCKETS);
    day.readAround(record, this.dayBucket, around);
    this.daily = around[1]!;
    this.dailyBefore = known(around[0]!, this.daily);
    this.dailyAfter = known(around[2]!, this.daily);
    const steep = STEP * p[P.spread]!;
    this.dailyAt = between(this.dailyBefore, this.daily, this.dailyAfter, inDay - this.dayVisit, steep, NaN, NaN);
    // The epoch started on a Thursday; weeks here start on Monday.
    const inWeek = (localSeconds + 3 * DAY_SECONDS) / WEEK_WIDTH;
    this.weekVisit = floor(inWeek);
    this.weekBucket = mod(this.weekVisit, WEEK_BUCKETS);
    week.readAround(record, this.weekBucket, aroundHour);
    this.weekly = period === DAY_SECONDS ? aroundHour[2]! : NaN;
    const season = b[B.season]!;
    if (!isNaN(this.weekly)) this.readWeek(record, inWeek - this.weekVisit, season === SEASON_WEEKLY);
    else this.weeklyAt = NaN;
    this.dailyLow = min(this.dailyBefore, this.daily, this.dailyAfter);
    this.dailyHigh = max(this.dailyBefore, this.daily, this.dailyAfter);
    this.isSteepDay = this.dailyHigh - this.dailyLow > steep;
    if (season === SEASON_DAILY && !isNaN(this.daily)) {
      this.expected = this.dailyAt;
      this.low = this.dailyLow;
      this.high = this.dailyHigh;
    }
  }

  /**
   * Hours are long: the hour before or after counts in the ten minutes next to it. Values are interpolated along
   * slopes, but not at steps.
   */
  private readWeek(record: SeriesRecord, inHour: number, inUse: boolean): void {
    const { p } = record;
    const hourBefore = known(aroundHour[1]!, this.weekly);
    const hourAfter = known(aroundHour[3]!, this.weekly);
    const steep = STEP * p[P.spread]!;
    this.weeklyAt = between(hourBefore, this.weekly, hourAfter, inHour, steep, aroundHour[0]!, aroundHour[4]!);
    const near = inHour < EDGE ? hourBefore : inHour > 1 - EDGE ? hourAfter : this.weekly;
    this.weekLow = min(this.weeklyAt, this.weekly, near);
    this.weekHigh = max(this.weeklyAt, this.weekly, near);
    if (!inUse) return;
    this.expected = this.weeklyAt;
    this.low = this.weekLow;
    this.high = this.weekHigh;
  }
}

/** The value of a bucket of the day's profile, relative to the series' origin; NaN when not known. */
export function dayAt(record: SeriesRecord, bucket: number): number {
  return halfAt(record, DAY_AT + bucket, F.dayScale, P.dayUnit);
}

/** Resets the knowledge of day and week. */
export function forgetProfiles(record: SeriesRecord): void {
  for (const row of [day, dayVisits, week, weekVisits]) row.forget(record);
}

/** Number of elapsed periods: by the wall clock, except for a period that was found in the data. */
export function periodsAt({ f, b }: SeriesRecord, timestamp: number, localSeconds: number, period: number): number {
  return b[B.periodSource] === PERIOD_FOUND ? (timestamp - f[F.periodStart]!) / period : localSeconds / period;
}

function known(value: number, otherwise: number): number {
  return isNaN(value) ? otherwise : value;
}

/**
 * Value at a position (0..1) in the middle one of three buckets, on the line to the middle of the nearer neighbour.
 * Next to a step, the slope of the other side continues; between two steps there is none. `first` and `last`: the
 * buckets before and after the three, NaN if they do not matter.
 */
function between(
  before: number,
  here: number,
  after: number,
  place: number,
  steep: number,
  first: number,
  last: number,
): number {
  const rise = here - before;
  const fall = after - here;
  if (place < 0.5) return here + (place - 0.5) * slopeOf(rise, fall, last - after, steep);
  return here + (place - 0.5) * slopeOf(fall, rise, before - first, steep);
}

/** Slope towards a neighbour, from the differences to this neighbour, to the other one, and to the one beyond that. */
function slopeOf(near: number, other: number, beyond: number, steep: number): number {
  if (isSlope(near, other, steep)) return near;
  return isSlope(other, beyond, steep) ? other : 0;
}

/**
 * True if the difference is small, or continues beyond the bucket: it is then a slope, however large, as in an hour of
 * a daily wave.
 */
function isSlope(difference: number, next: number, steep: number): boolean {
  return abs(difference) < steep || (difference * next > 0 && abs(difference) < MAX_STEEPENING * abs(next));
}

/** Records a value at its time of day and week. Runs for every point, even during anomalies: see the median above. */
export function recordSeason(record: SeriesRecord, at: SeasonalPoint, value: number): void {
  const { f, p } = record;
  if (f[F.dayVisit] !== at.dayVisit) {
    if (floor(at.dayVisit / DAY_BUCKETS) > floor(f[F.dayVisit]! / DAY_BUCKETS)) {
      p[P.shortestPeriod] = shortestPeriod(record);
      for (const row of [day, week]) row.refit(record);
      for (const row of [dayVisits, weekVisits]) row.refit(record, p[P.spread]!);
    }
    closeBucket(record, day, dayVisits, mod(f[F.dayVisit]!, DAY_BUCKETS), f[F.daySum]! / p[P.dayCount]!, DAILY_RATE);
    f[F.dayVisit] = at.dayVisit;
    f[F.daySum] = 0;
    p[P.dayCount] = 0;
  }
  f[F.daySum] = f[F.daySum]! + value;
  p[P.dayCount] = p[P.dayCount]! + 1;
  if (p[P.weekVisit] !== at.weekVisit) {
    const mean = f[F.weekSum]! / p[P.weekCount]!;
    closeBucket(record, week, weekVisits, mod(p[P.weekVisit]!, WEEK_BUCKETS), mean, WEEKLY_RATE);
    p[P.weekVisit] = at.weekVisit;
    f[F.weekSum] = 0;
    p[P.weekCount] = 0;
  }
  f[F.weekSum] = f[F.weekSum]! + value;
  p[P.weekCount] = p[P.weekCount]! + 1;
}

function closeBucket(
  record: SeriesRecord,
  expectations: HalfRow,
  visits: DistanceRow,
  bucket: number,
  mean: number,
  rate: number,
): void {
  if (isNaN(bucket)) return;
  const expected = expectations.read(record, bucket);
  const last = visits.read(record, bucket);
  const level = record.f[F.level]!;
  const spread = record.p[P.spread]!;
  if (!Number.isFinite(expected) || isNaN(last)) {
    // Beyond the range of the format for the second time: not an outlier.
    const isAgain = expected * (mean - level) === Infinity;
    expectations.write(record, bucket, mean, level, spread, isAgain);
  } else {
    // Towards the median of the three.
    const change = nearerOf(mean - expected, last);
    const whole = shareTakenWhole(abs(change), spread);
    const share = whole + (1 - whole) * rate;
    expectations.write(record, bucket, expected + share * change, level, spread, whole === 1);
  }
  visits.write(record, bucket, mean - expectations.read(record, bucket), spread);
}

/**
 * 0 for an ordinary change, 1 for a change that is learnt completely. Buckets of one wave that change by slightly
 * different amounts must not diverge.
 */
function shareTakenWhole(change: number, spread: number): number {
  return max(0, min(1, (change / (spread + TINY) - MORE_CHANGE) / (WHOLE_CHANGE - MORE_CHANGE)));
}

/**
 * Compares the expectations at this point and decides which one is used from the next point on. Returns true if that
 * changes: normalised history then no longer fits.
 */
export function chooseSeason(
  record: SeriesRecord,
  at: SeasonalPoint,
  value: number,
  timestamp: number,
  slotsPerDay: number,
): boolean {
  const { f, p, b } = record;
  const cap = (ERROR_CAP * max(p[P.spread]!, Number.isFinite(p[P.quantum]!) ? p[P.quantum]! * 0.1 : 0)) ** 2;
  const level = min((value - f[F.level]!) ** 2, cap);
  const daily = min(dailyDistance(at, value) ** 2, cap);
  const slotsPerPeriod = (slotsPerDay * f[F.period]!) / DAY_SECONDS;
  if (!isNaN(at.daily)) {
    p[P.dailyChecked] = p[P.dailyChecked]! + 1;
    const rate = min(1, max(1 / p[P.dailyChecked], 1 / comparedRows(COMPARED_DAYS * slotsPerPeriod)));
    p[P.dailyGain] = towardsRoot(p[P.dailyGain]!, level - daily, rate);
    p[P.levelError] = towardsSquare(p[P.levelError]!, level, rate);
    p[P.dailyError] = towardsSquare(p[P.dailyError]!, daily, rate);
  }
  if (!isNaN(at.weekly) && !isNaN(at.daily)) {
    p[P.weeklyChecked] = p[P.weeklyChecked]! + 1;
    const rate = max(1 / p[P.weeklyChecked], 1 / comparedRows(7 * slotsPerDay));
    const weekly = min((value - at.weeklyAt) ** 2, cap);
    p[P.weeklyGain] = towardsRoot(p[P.weeklyGain]!, min(level, daily) - weekly, rate);
    p[P.weeklyLevelError] = towardsSquare(p[P.weeklyLevelError]!, level, rate);
    p[P.weeklyDailyError] = towardsSquare(p[P.weeklyDailyError]!, daily, rate);
    p[P.weeklyError] = towardsSquare(p[P.weeklyError]!, weekly, rate);
  }
  const season = bestSeason(record, timestamp - f[F.firstAnalysed]!, slotsPerDay);
  if (season === b[B.season]) return false;
  b[B.season] = season;
  return true;
}

/** Number of rows over which expectations are compared: results over few rows are chance. */
function comparedRows(rows: number): number {
  return max(MIN_COMPARED, rows);
}

/** Root of the usual size of a difference of squares, after learning one more: the square may not fit into a float. */
function towardsRoot(root: number, difference: number, rate: number): number {
  return sqrt(towardsSquare(root * root, difference * difference, rate));
}

/**
 * True if one expectation has been significantly better than another: a paired test of its gain over its number of
 * rows.
 */
function isSignificant(before: number, after: number, gain: number, checked: number, rows: number): boolean {
  if (checked < MIN_CHECKED) return false;
  return (before * before - after * after) * sqrt(min(checked, comparedRows(rows))) > NO_LUCK * gain * gain;
}

/** Root of a mean of squares, after learning one more. */
function towardsSquare(root: number, square: number, rate: number): number {
  return sqrt(root * root + rate * (square - root * root));
}

/** Distance to the daily expectation; at a steep edge, to the range between the values before and after it. */
export function dailyDistance(at: SeasonalPoint, value: number): number {
  if (!at.isSteepDay) return value - at.dailyAt;
  return value > at.dailyHigh ? value - at.dailyHigh : min(0, value - at.dailyLow);
}

function bestSeason({ f, p, b }: SeriesRecord, age: number, slotsPerDay: number): number {
  const now = b[B.season]!;
  if (age >= WEEKLY_AFTER && p[P.weeklyChecked]! >= 0.75 * 7 * min(slotsPerDay, DAY_BUCKETS)) {
    const other = min(p[P.weeklyLevelError]!, p[P.weeklyDailyError]!);
    const isBetter = p[P.weeklyError]! < (now === SEASON_WEEKLY ? GIVE_UP_ROOT : TAKE_UP_ROOT) * other;
    const isKnown =
      now === SEASON_WEEKLY ||
      isSignificant(other, p[P.weeklyError]!, p[P.weeklyGain]!, p[P.weeklyChecked]!, 7 * slotsPerDay);
    if (isBetter && isKnown) return SEASON_WEEKLY;
  }
  const slotsPerPeriod = (slotsPerDay * f[F.period]!) / DAY_SECONDS;
  if (age < PERIODS_BEFORE * f[F.period]! || p[P.dailyChecked]! < 0.75 * min(slotsPerPeriod, DAY_BUCKETS)) {
    return SEASON_NONE;
  }
  const share = now === SEASON_DAILY ? GIVE_UP_ROOT : TAKE_UP_ROOT;
  if (!(p[P.dailyError]! < share * p[P.levelError]!)) return SEASON_NONE;
  const rows = COMPARED_DAYS * slotsPerPeriod;
  const isKnown =
    now !== SEASON_NONE || isSignificant(p[P.levelError]!, p[P.dailyError]!, p[P.dailyGain]!, p[P.dailyChecked]!, rows);
  return isKnown ? SEASON_DAILY : SEASON_NONE;
}

/** Root mean square of the error of the current expectation, for a first spread around it. */
export function seasonError(record: SeriesRecord): number {
  const { p, b } = record;
  if (b[B.season] === SEASON_WEEKLY) return p[P.weeklyError]!;
  return b[B.season] === SEASON_DAILY ? p[P.dailyError]! : p[P.levelError]!;
}

/**
 * A new level was accepted. The daily expectation becomes that of the last day, or moves by `shift` if the level is
 * younger than that; the weekly one moves by `shift`.
 */
export function acceptSeason(record: SeriesRecord, shift: number, age: number): void {
  const { f, p, b } = record;
  // The errors caused by the new behaviour are not evidence about later days.
  const fair = min(p[P.levelError]!, p[P.dailyError]!);
  const fairWeekly = min(p[P.weeklyLevelError]!, p[P.weeklyDailyError]!, p[P.weeklyError]!);
  const isDaily = b[B.season] === SEASON_DAILY;
  const isWeekly = b[B.season] === SEASON_WEEKLY;
  p[P.levelError] = fair;
  p[P.dailyError] = isDaily ? fair * MIDPOINT_ROOT : fair;
  p[P.weeklyLevelError] = p[P.weeklyDailyError] = fairWeekly;
  p[P.weeklyError] = isWeekly ? fairWeekly * MIDPOINT_ROOT : fairWeekly;
  if (b[B.season] === SEASON_NONE) return;
  const isWhole = age >= f[F.period]!;
  if (isWhole) {
    takeLastVisits(record, shift);
  } else {
    day.shift(record, shift);
    dayVisits.expectationMoved(record, shift);
  }
  if (b[B.season] !== SEASON_WEEKLY) return;
  week.shift(record, shift);
  weekVisits.expectationMoved(record, shift);
}

/** The day now expects the last visits: a shift of all buckets, and the remaining difference of each bucket. */
function takeLastVisits(record: SeriesRecord, shift: number): void {
  const level = record.f[F.level]!;
  const spread = record.p[P.spread]!;
  day.shift(record, shift);
  for (let bucket = 0; bucket < DAY_BUCKETS; bucket++) {
    const other = beyondStep(dayVisits.read(record, bucket), shift);
    if (other === 0 || !Number.isFinite(other)) continue;
    day.write(record, bucket, day.read(record, bucket) + other, level, spread, true);
  }
  dayVisits.expectationMet(record);
}

/**
 * Progress of learning daily and weekly patterns: `age` of the series in seconds, points compared with each, usual
 * points a day. A pattern is known after most of a day (a week) was repeated.
 */
export function seasonReadiness(
  age: number,
  dailyChecked: number,
  weeklyChecked: number,
  slotsPerDay: number,
): { daily: boolean; weekly: boolean } {
  const ofDay = SEEN_SHARE * max(slotsPerDay, MIN_SLOTS_A_DAY);
  return {
    daily: age >= PERIODS_BEFORE * DAY_SECONDS && dailyChecked >= ofDay,
    weekly: age >= WEEKLY_AFTER && weeklyChecked >= 7 * ofDay,
  };
}

/** Active periods, in seconds, ascending. */
export function seasonalPeriods(season: number, shortest: number): number[] {
  if (season === SEASON_WEEKLY) return [DAY_SECONDS, WEEK_SECONDS];
  return season === SEASON_DAILY ? [round(shortest)] : [];
}

/**
 * The shortest period with which the daily profile repeats: the day, or a fraction of it after which all buckets have
 * the same values, although they differ in between.
 */
function shortestPeriod(record: SeriesRecord): number {
  const { f, p } = record;
  const period = f[F.period]!;
  let largest = 0;
  let between = 1;
  for (const parts of DAY_PARTS) {
    const shift = DAY_BUCKETS / parts;
    const error = profileChange(record, shift);
    if (!(error < SAME_SHARE * p[P.levelSpread]!)) continue;
    for (; between < shift; between++) largest = max(largest, profileChange(record, between));
    if (error < REPEATS_SHARE * largest) return period / parts;
  }
  return period;
}

/** Mean distance between buckets of the profile that are `shift` apart; NaN if less than half of them are known. */
function profileChange(record: SeriesRecord, shift: number): number {
  let sum = 0;
  let known = 0;
  for (let i = 0; i < DAY_BUCKETS; i++) {
    const change = dayAt(record, i) - dayAt(record, (i + shift) % DAY_BUCKETS);
    if (isNaN(change)) continue;
    sum += abs(change);
    known++;
  }
  return known < DAY_BUCKETS / 2 ? NaN : sum / known;
}

/** Middle of the daily profile: the behaviour of the series without special features. */
export function profileMedian(record: SeriesRecord): number {
  let known = 0;
  for (let bucket = 0; bucket < DAY_BUCKETS; bucket++) {
    const value = dayAt(record, bucket);
    if (!isNaN(value)) sorted[known++] = value;
  }
  if (known === 0) return record.f[F.level]!;
  sorted.subarray(0, known).sort();
  return sorted[known >> 1]!;
}

/** Distance from the lowest to the highest bucket of the daily profile. */
export function profileHeight(record: SeriesRecord): number {
  let low = Infinity;
  let high = -Infinity;
  for (let bucket = 0; bucket < DAY_BUCKETS; bucket++) {
    const value = dayAt(record, bucket);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low;
}

/**
 * For whole numbers: 0 to `divisor` - 1. `%` of doubles is a function call, which costs more than everything else here.
 */
function mod(value: number, divisor: number): number {
  return value - floor(value / divisor) * divisor;
}
