import { DAY_AT, DAY_BUCKETS, DAY_LAST_AT, DAY_SPREAD_AT, F, WEEK_AT, WEEK_BUCKETS, WEEK_LAST_AT } from './layout.js';
import { type SeriesRecord } from './series-record.js';

const { abs, floor, max, min } = Math;
const { isNaN } = Number;

/**
 * What a series does at a time of day and of the week. Each bucket keeps its expectation and the mean of its last
 * visit; the expectation moves towards the median of (this visit, last visit, expectation). So one bad day changes
 * nothing, and what happens twice at the same time is expected the third time, however large.
 *
 * The expectation is used only while it predicts clearly better than the plain level (and the weekly one better than
 * the daily one); errors are squared, capped and compared over the same points.
 */

export const SEASON_NONE = 0;
export const SEASON_DAILY = 1;
export const SEASON_WEEKLY = 2;

const DAY_SECONDS = 86_400;
const WEEK_SECONDS = 604_800;
const DAY_WIDTH = DAY_SECONDS / DAY_BUCKETS;
const WEEK_WIDTH = WEEK_SECONDS / WEEK_BUCKETS;
const DAY_PER_WEEK_BUCKET = WEEK_WIDTH / DAY_WIDTH;
/** Share of an ordinary change taken over per day, per week. */
const DAILY_RATE = 0.3;
const WEEKLY_RATE = 0.4;
/** A confirmed change this many spreads away is taken over whole. */
const WHOLE_CHANGE = 4;
/** Neighbours that differ by this many spreads are a step, not a slope. */
export const STEP = 6;
/** Days over which level and daily expectation are compared: one odd day must not decide. */
const COMPARED_DAYS = 3;
/** Errors count up to this many spreads (squared below). */
const ERROR_CAP = 10;
/** A better expectation is taken up below this share of the error, and given up above the second. */
const TAKE_UP = 0.75;
const GIVE_UP = 0.95;
const HALF_WAY = (TAKE_UP + GIVE_UP) / 2;
/** History needed before an expectation may be used. */
const DAILY_AFTER = 2 * DAY_SECONDS;
const WEEKLY_AFTER = 2 * WEEK_SECONDS - DAY_SECONDS / 4;

/** Where in day and week a point lies, and what is expected there. One scratch object per detector. */
export class SeasonalPoint {
  dayBucket = 0;
  weekBucket = 0;
  /** Position in the ten-minute bucket, 0..1. */
  inBucket = 0;
  /** Expectations relative to the series' origin; NaN when not known. */
  daily = NaN;
  dailyBefore = NaN;
  dailyAfter = NaN;
  weekly = NaN;
  /** Expectation in use, and the lowest and highest expectation of the ten minutes before and after: jobs start a little early or late. */
  expected = 0;
  low = 0;
  high = 0;

  /** Reads the expectations at a local time (Unix seconds as the wall clock shows them). */
  locate(record: SeriesRecord, localSeconds: number): void {
    const { f } = record;
    const ofDay = mod(localSeconds, DAY_SECONDS);
    this.dayBucket = floor(ofDay / DAY_WIDTH);
    this.inBucket = ofDay / DAY_WIDTH - this.dayBucket;
    // The epoch began on a Thursday; weeks here begin on Monday.
    this.weekBucket = floor(mod(localSeconds + 3 * DAY_SECONDS, WEEK_SECONDS) / WEEK_WIDTH);
    this.daily = record.p[DAY_AT + this.dayBucket]!;
    this.weekly = record.p[WEEK_AT + this.weekBucket]!;
    const season = f[F.season]!;
    this.expected = this.low = this.high = f[F.level]!;
    this.dailyBefore = known(record.p[DAY_AT + mod(this.dayBucket - 1, DAY_BUCKETS)]!, this.daily);
    this.dailyAfter = known(record.p[DAY_AT + mod(this.dayBucket + 1, DAY_BUCKETS)]!, this.daily);
    if (season === SEASON_DAILY && !isNaN(this.daily)) this.expectDaily();
    else if (season === SEASON_WEEKLY && !isNaN(this.weekly)) this.expectWeekly(record);
  }

  private expectDaily(): void {
    this.low = min(this.dailyBefore, this.daily, this.dailyAfter);
    this.high = max(this.dailyBefore, this.daily, this.dailyAfter);
    const towards = this.inBucket - 0.5;
    const slope = towards < 0 ? this.daily - this.dailyBefore : this.dailyAfter - this.daily;
    this.expected = this.daily + towards * slope;
  }

  /** Half hours are long: the one before or after counts in the ten minutes next to it, slopes are followed, steps are not. */
  private expectWeekly({ f, p }: SeriesRecord): void {
    const before = known(p[WEEK_AT + mod(this.weekBucket - 1, WEEK_BUCKETS)]!, this.weekly);
    const after = known(p[WEEK_AT + mod(this.weekBucket + 1, WEEK_BUCKETS)]!, this.weekly);
    const part = this.dayBucket % DAY_PER_WEEK_BUCKET;
    const towards = (part + this.inBucket) / DAY_PER_WEEK_BUCKET - 0.5;
    const slope = towards < 0 ? this.weekly - before : after - this.weekly;
    this.expected = abs(slope) < STEP * f[F.spread]! ? this.weekly + towards * slope : this.weekly;
    const next = part === 0 ? before : part === DAY_PER_WEEK_BUCKET - 1 ? after : this.weekly;
    this.low = min(this.expected, this.weekly, next);
    this.high = max(this.expected, this.weekly, next);
  }
}

function known(value: number, otherwise: number): number {
  return isNaN(value) ? otherwise : value;
}

/** Records a value under its time of day and week. Runs for every point, also during anomalies: see the median above. */
export function recordSeason(record: SeriesRecord, at: SeasonalPoint, value: number): void {
  const { f, p } = record;
  if (f[F.dayBucket] !== at.dayBucket) {
    closeBucket(p, DAY_AT, DAY_LAST_AT, f[F.dayBucket]!, f[F.daySum]! / f[F.dayCount]!, DAILY_RATE, f[F.spread]!);
    f[F.dayBucket] = at.dayBucket;
    f[F.daySum] = 0;
    f[F.dayCount] = 0;
  }
  f[F.daySum] = f[F.daySum]! + value;
  f[F.dayCount] = f[F.dayCount]! + 1;
  if (f[F.weekBucket] !== at.weekBucket) {
    const mean = f[F.weekSum]! / f[F.weekCount]!;
    closeBucket(p, WEEK_AT, WEEK_LAST_AT, f[F.weekBucket]!, mean, WEEKLY_RATE, f[F.spread]!);
    f[F.weekBucket] = at.weekBucket;
    f[F.weekSum] = 0;
    f[F.weekCount] = 0;
  }
  f[F.weekSum] = f[F.weekSum]! + value;
  f[F.weekCount] = f[F.weekCount]! + 1;
}

function closeBucket(
  p: Float32Array,
  expectedAt: number,
  lastAt: number,
  bucket: number,
  mean: number,
  rate: number,
  spread: number,
): void {
  if (isNaN(bucket)) return;
  const expected = p[expectedAt + bucket]!;
  const last = p[lastAt + bucket]!;
  p[lastAt + bucket] = mean;
  if (isNaN(expected)) {
    p[expectedAt + bucket] = mean;
    return;
  }
  const middle = max(min(mean, last), min(max(mean, last), expected));
  const change = middle - expected;
  p[expectedAt + bucket] = abs(change) > WHOLE_CHANGE * spread ? middle : expected + rate * change;
}

/**
 * Compares the expectations on this point and decides which one is used from the next point on.
 * Returns true when that changed: normalised history then no longer fits.
 */
export function chooseSeason(
  record: SeriesRecord,
  at: SeasonalPoint,
  value: number,
  timestamp: number,
  slotsPerDay: number,
): boolean {
  const { f } = record;
  const cap = (ERROR_CAP * max(f[F.spread]!, Number.isFinite(f[F.quantum]!) ? f[F.quantum]! * 0.1 : 0)) ** 2;
  const level = min((value - f[F.level]!) ** 2, cap);
  const daily = min(dailyDistance(at, value, f[F.spread]!) ** 2, cap);
  if (!isNaN(at.daily)) {
    f[F.dailyChecked] = f[F.dailyChecked]! + 1;
    const rate = max(1 / f[F.dailyChecked], 1 / (COMPARED_DAYS * slotsPerDay));
    f[F.levelError] = f[F.levelError]! + rate * (level - f[F.levelError]!);
    f[F.dailyError] = f[F.dailyError]! + rate * (daily - f[F.dailyError]!);
  }
  if (!isNaN(at.weekly) && !isNaN(at.daily)) {
    f[F.weeklyChecked] = f[F.weeklyChecked]! + 1;
    const rate = max(1 / f[F.weeklyChecked], 1 / (7 * slotsPerDay));
    const weekly = min((value - at.weekly) ** 2, cap);
    f[F.weeklyLevelError] = f[F.weeklyLevelError]! + rate * (level - f[F.weeklyLevelError]!);
    f[F.weeklyDailyError] = f[F.weeklyDailyError]! + rate * (daily - f[F.weeklyDailyError]!);
    f[F.weeklyError] = f[F.weeklyError]! + rate * (weekly - f[F.weeklyError]!);
  }
  const season = bestSeason(f, timestamp - f[F.firstAnalysed]!, slotsPerDay);
  if (season === f[F.season]) return false;
  f[F.season] = season;
  return true;
}

/** Distance to the daily expectation; at a steep edge, to what lies between the values before and after it. */
function dailyDistance(at: SeasonalPoint, value: number, spread: number): number {
  const low = min(at.dailyBefore, at.daily, at.dailyAfter);
  const high = max(at.dailyBefore, at.daily, at.dailyAfter);
  if (!(high - low > STEP * spread)) return value - at.daily;
  return value > high ? value - high : min(0, value - low);
}

function bestSeason(f: Float64Array, age: number, slotsPerDay: number): number {
  const now = f[F.season]!;
  if (age >= WEEKLY_AFTER && f[F.weeklyChecked]! >= 0.75 * 7 * min(slotsPerDay, DAY_BUCKETS)) {
    const other = min(f[F.weeklyLevelError]!, f[F.weeklyDailyError]!);
    if (f[F.weeklyError]! < (now === SEASON_WEEKLY ? GIVE_UP : TAKE_UP) * other) return SEASON_WEEKLY;
  }
  if (age < DAILY_AFTER || f[F.dailyChecked]! < 0.75 * min(slotsPerDay, DAY_BUCKETS)) return SEASON_NONE;
  const share = now === SEASON_DAILY ? GIVE_UP : TAKE_UP;
  return f[F.dailyError]! < share * f[F.levelError]! ? SEASON_DAILY : SEASON_NONE;
}

/** Squared error of the expectation in use, for a first spread around it. */
export function seasonError(record: SeriesRecord): number {
  const { f } = record;
  if (f[F.season] === SEASON_WEEKLY) return f[F.weeklyError]!;
  return f[F.season] === SEASON_DAILY ? f[F.dailyError]! : f[F.levelError]!;
}

/** Usual deviation at this time of day: nights are quieter than days. */
export function spreadAt(record: SeriesRecord, bucket: number): number {
  const { f, p } = record;
  const here = p[DAY_SPREAD_AT + bucket]!;
  if (f[F.season] === SEASON_NONE || isNaN(here)) return f[F.spread]!;
  return max(here, 0.3 * f[F.spread]!);
}

/** Learns the size of a deviation at this time of day. */
export function learnSpreadAt(record: SeriesRecord, bucket: number, deviation: number): void {
  const { f, p } = record;
  if (f[F.season] === SEASON_NONE) return;
  const here = p[DAY_SPREAD_AT + bucket]!;
  const known = isNaN(here) ? f[F.spread]! : here;
  p[DAY_SPREAD_AT + bucket] = known + 0.05 * (min(deviation, 5 * max(known, f[F.spread]!)) - known);
}

/** Forgets the spreads by time of day (after another expectation came into use). */
export function forgetSpreads(record: SeriesRecord): void {
  record.p.fill(NaN, DAY_SPREAD_AT, DAY_SPREAD_AT + DAY_BUCKETS);
}

/** A new level was accepted: the daily expectation becomes the last day's, the weekly one moves by `shift`. */
export function acceptSeason(record: SeriesRecord, shift: number): void {
  const { f, p } = record;
  // What the new behaviour cost the expectations says nothing about the days to come.
  const fair = min(f[F.levelError]!, f[F.dailyError]!);
  const fairWeekly = min(f[F.weeklyLevelError]!, f[F.weeklyDailyError]!, f[F.weeklyError]!);
  const isDaily = f[F.season] === SEASON_DAILY;
  const isWeekly = f[F.season] === SEASON_WEEKLY;
  f[F.levelError] = fair;
  f[F.dailyError] = isDaily ? fair * HALF_WAY : fair;
  f[F.weeklyLevelError] = f[F.weeklyDailyError] = fairWeekly;
  f[F.weeklyError] = isWeekly ? fairWeekly * HALF_WAY : fairWeekly;
  if (f[F.season] === SEASON_NONE) return;
  for (let i = 0; i < DAY_BUCKETS; i++) p[DAY_AT + i] = p[DAY_LAST_AT + i]!;
  if (f[F.season] !== SEASON_WEEKLY) return;
  for (let i = 0; i < WEEK_BUCKETS; i++) p[WEEK_AT + i] = p[WEEK_AT + i]! + shift;
}

/** Where the learning of daily and weekly habits stands. */
export function seasonReadiness(record: SeriesRecord): { daily: boolean; weekly: boolean } {
  const { f } = record;
  const age = f[F.lastAnalysed]! - f[F.firstAnalysed]!;
  return {
    daily: age >= DAILY_AFTER && f[F.dailyChecked]! > 0,
    weekly: age >= WEEKLY_AFTER && f[F.weeklyChecked]! > 0,
  };
}

/** Periods in use, in seconds, rising. */
export function seasonalPeriods(record: SeriesRecord): number[] {
  if (record.f[F.season] === SEASON_WEEKLY) return [DAY_SECONDS, WEEK_SECONDS];
  return record.f[F.season] === SEASON_DAILY ? [DAY_SECONDS] : [];
}

/** Middle of the daily profile: what the series does when nothing special is due. Refreshed once a day. */
export function profileMedian(record: SeriesRecord, timestamp: number): number {
  const { f, p } = record;
  if (isNaN(f[F.profileMedian]!) || abs(timestamp - f[F.profileMedianAt]!) >= DAY_SECONDS) {
    const known = p.slice(DAY_AT, DAY_AT + DAY_BUCKETS).filter((value) => !isNaN(value));
    known.sort();
    f[F.profileMedian] = known.length === 0 ? f[F.level]! : known[known.length >> 1]!;
    f[F.profileMedianAt] = timestamp;
  }
  return f[F.profileMedian]!;
}

function mod(value: number, divisor: number): number {
  const rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}
