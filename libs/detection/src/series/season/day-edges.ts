import { DayJobs } from './day-jobs.js';
import { B, F, P } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { dayAt, SEASON_NONE, SEASON_WEEKLY, type SeasonalPoint } from './season.js';
import { type SeriesRecord } from '../record/series-record.js';

const { DAY_BUCKETS } = layout;
const { abs, floor, max, min } = Math;
const { isNaN } = Number;

/**
 * Features that begin and end at about the same time of day. If the daily profile has a step, all values between its
 * two sides are expected from ten minutes before to ten minutes after it. If a step has recently been earlier or later
 * than that, it is forty minutes; whether the expected feature occurred at all is then checked at the end of its time.
 */

/** Number of ten-minute buckets on each side that the wide reach covers. */
const MAX_REACH = 4;
/** Daily decay of the number of days that needed the wide reach, and the number from which the reach is wide. */
const LEFT_A_DAY = 0.95;
const DAYS_NEEDED = 0.9;
/** The same number if no season is active. */
const DAYS_SURE = 2.5;
/** For this many seconds of judged time, it is unknown whether a job varies, so the reach is wide. */
const VARIATION_KNOWN_SECONDS = 5 * 86_400;
/** Share of a distance that the wide reach must explain for the day to count as one that needed it. */
const EXPLAINED = 0.75;
/**
 * Minimum difference between two adjacent buckets at a step, as a share of the whole difference around it: a smaller
 * one is a slope.
 */
const SHARP = 0.25;
/**
 * Minimum deviation at another time, as a share of the same difference: a smaller one is a job that does slightly more
 * or less than usual.
 */
const ELSEWHEN = 0.2;
/** Maximum share of the size of a job by which the expectation of the day may be lower. */
const MAX_UNFILLED = 0.5;
/**
 * Number of successive buckets that differed from the next one at their end: from this number on, today differs from
 * the profile, because no job is that late.
 */
const OTHER_DAY = 6;

/** The job that is expected about now already has its anomaly: it is not reported again as missing, or as too long. */
export function noteReported({ p }: SeriesRecord): void {
  if (isNaN(p[P.edgeHigh]!)) return;
  p[P.edgeHigh] = Infinity;
  p[P.edgeLow] = -Infinity;
}

export class DayEdges {
  /** True if the day has a step within reach, and all values between its sides are expected. */
  isSteep = false;
  low = NaN;
  high = NaN;
  /**
   * Distance from the expected value if a job is late, has ended early or lasts longer than ever, or if an expected
   * feature has not occurred by this point, the end of its time; else 0.
   */
  missing = 0;
  /** True if `missing` is based on the known starts and lengths of a job, which also determine whether it is usual. */
  isOfJob = false;
  /** True if the wide reach applies. */
  isWide = false;

  /** The two sides of a step between adjacent buckets; NaN if there is none. */
  stepLow = NaN;
  stepHigh = NaN;
  /**
   * True if, within the wide reach, two adjacent buckets differ by a large share of the whole difference: a step, not a
   * slope.
   */
  private isStepNear = false;
  private readonly jobs = new DayJobs();
  /** True if the values of the day around this time are known, whether or not they are used as a forecast. */
  private isSeen = false;
  private wideLow = NaN;
  private wideHigh = NaN;

  /**
   * Computes everything that is known before the value. `steep`: the change that counts as a step; `isLevel`: a level
   * predicts about as well as the best forecast.
   */
  locate(record: SeriesRecord, at: SeasonalPoint, steep: number, isLevel: boolean): void {
    const { f, p, b } = record;
    this.isSteep = this.isWide = this.isStepNear = false;
    this.low = this.high = this.stepLow = this.stepHigh = NaN;
    const days = p[P.edgeDays]!;
    // A short job that is early or late does not make the day a better forecast than a level, but is expected
    // nevertheless.
    const isKnown = b[B.season] !== SEASON_NONE || (isLevel && days >= DAYS_SURE);
    this.isSeen = (isKnown || isLevel) && !isNaN(at.dailyAt) && steep > 0;
    if (!this.isSeen) return;
    const isWide = (this.isWide = days >= DAYS_NEEDED || p[P.judgedSeconds]! < VARIATION_KNOWN_SECONDS);
    const reach = isWide ? MAX_REACH : 1;
    // On a day that differs from the profile, a past bucket already differs from the next one, which has not been
    // updated yet: this is not a step, unless it existed before. A bucket ends with the first row of the next one,
    // which still has the former value of the bucket.
    const left = f[F.dayVisit] === at.dayVisit ? 0 : -1;
    const wasAhead = f[F.edgeAhead] === at.dayVisit + left - 1;
    const isOther = b[B.edgeFront] === OTHER_DAY;
    let hasFront = false;
    let nearLow = at.dailyLow;
    let nearHigh = at.dailyHigh;
    let low = nearLow;
    let high = nearHigh;
    let before = NaN;
    let sharpest = 0;
    for (let step = -MAX_REACH; step <= MAX_REACH; step++) {
      const bucket = dayAt(record, (at.dayBucket + step + DAY_BUCKETS) % DAY_BUCKETS);
      // If rows are slower than buckets, adjacent buckets are those that have a value.
      if (isNaN(bucket)) continue;
      if (bucket < low) low = bucket;
      if (bucket > high) high = bucket;
      const change = abs(bucket - before);
      const isFront = change > steep && step === left && !wasAhead;
      if (isFront) hasFront = true;
      if (isFront && isOther) {
        // The buckets of today are not a side of a step.
        low = high = bucket;
        sharpest = 0;
        if (left === 0) {
          nearLow = min(at.daily, at.dailyAfter);
          nearHigh = max(at.daily, at.dailyAfter);
        }
      } else if (change > sharpest) sharpest = change;
      if (change > steep && step > -reach && step <= reach && !isFront) {
        this.noteStep(min(before, bucket), max(before, bucket));
        if (step === 1) f[F.edgeAhead] = at.dayVisit;
      }
      before = bucket;
    }
    if (left === -1) b[B.edgeFront] = hasFront ? min(OTHER_DAY, b[B.edgeFront]! + 1) : 0;
    this.wideLow = low;
    this.wideHigh = high;
    this.isStepNear = sharpest > max(steep, SHARP * (high - low));
    if (!isKnown) {
      this.isWide = false;
      this.stepLow = this.stepHigh = NaN;
      return;
    }
    this.low = isWide ? low : nearLow;
    this.high = isWide ? high : nearHigh;
    if (isWide && this.isStepNear && b[B.season] !== SEASON_WEEKLY) {
      // Buckets that the job does not fill every day have a lower value than the job.
      const top = f[F.middle]! + p[P.edgeTop]!;
      const most = MAX_UNFILLED * (high - low);
      this.low = max(low - most, min(low, top));
      this.high = min(high + most, max(high, top));
    }
    this.isSteep = this.high - this.low > steep;
  }

  /** Only `missing` shows whether the expected job is missing: the job may still start, or its time is over. */
  get knowsExpected(): boolean {
    return this.isWide && (this.isStepNear || this.missing !== 0);
  }

  private noteStep(low: number, high: number): void {
    this.stepLow = low < this.stepLow || isNaN(this.stepLow) ? low : this.stepLow;
    this.stepHigh = high > this.stepHigh || isNaN(this.stepHigh) ? high : this.stepHigh;
  }

  /** Learns the value at the located point, with the same `steep`. */
  take(record: SeriesRecord, at: SeasonalPoint, value: number, steep: number): void {
    const { p } = record;
    this.missing = 0;
    this.isOfJob = false;
    const { isSeen, isStepNear, wideLow, wideHigh } = this;
    if (isStepNear && !isNaN(this.low)) this.noteNeed(record, at, value, wideLow, wideHigh, steep);
    if (this.isWide) this.watch(record, at, value, isStepNear, steep);
    else p[P.edgeHigh] = NaN;
    const ofJob = isSeen ? this.jobs.take(record, at, value, isStepNear, wideLow, wideHigh, steep) : 0;
    this.isOfJob = ofJob !== 0;
    if (this.isOfJob) this.missing = ofJob;
  }

  /** Counts a day on which the wide reach explains what ten minutes do not: the job ran at another time. */
  private noteNeed(
    record: SeriesRecord,
    at: SeasonalPoint,
    value: number,
    low: number,
    high: number,
    steep: number,
  ): void {
    const { p } = record;
    const near = distance(value, at.dailyLow, at.dailyHigh);
    if (!(near > max(steep, ELSEWHEN * (high - low))) || distance(value, low, high) > (1 - EXPLAINED) * near) return;
    if (!isRunning(record.f, value, high - low)) return;
    const day = floor(at.dayVisit / DAY_BUCKETS);
    if (p[P.edgeDay] === day) return;
    const days = p[P.edgeDay]! > 0 ? day - p[P.edgeDay]! : 0;
    p[P.edgeDays] = p[P.edgeDays]! * LEFT_A_DAY ** min(days, 60) + 1;
    p[P.edgeDay] = day;
  }

  /**
   * Records the highest and the lowest observed and expected value while a step is near, and compares them afterwards.
   */
  private watch(record: SeriesRecord, at: SeasonalPoint, value: number, isStepNear: boolean, steep: number): void {
    const { p, b } = record;
    if (isStepNear) {
      if (isNaN(p[P.edgeHigh]!)) {
        p[P.edgeHigh] = p[P.edgeLow] = value;
        p[P.edgeDailyHigh] = p[P.edgeDailyLow] = at.daily;
        // Observation starts with this row: the job of an open anomaly started before it.
        if (b[B.open] !== 0) noteReported(record);
      }
      p[P.edgeHigh] = max(p[P.edgeHigh]!, value);
      p[P.edgeLow] = min(p[P.edgeLow]!, value);
      p[P.edgeDailyHigh] = max(p[P.edgeDailyHigh]!, at.daily);
      p[P.edgeDailyLow] = min(p[P.edgeDailyLow]!, at.daily);
      return;
    }
    if (isNaN(p[P.edgeHigh]!)) return;
    const above = p[P.edgeDailyHigh]! - p[P.edgeHigh]!;
    const below = p[P.edgeLow]! - p[P.edgeDailyLow]!;
    if (max(above, below) > steep) this.missing = above > below ? -above : below;
    p[P.edgeHigh] = NaN;
  }
}

/** True if the job is at least half as far from the middle of the series as the step of the day is high. */
function isRunning(f: Float64Array, value: number, height: number): boolean {
  return abs(value - f[F.middle]!) >= height / 2;
}

function distance(value: number, low: number, high: number): number {
  return value > high ? value - high : abs(min(0, value - low));
}
