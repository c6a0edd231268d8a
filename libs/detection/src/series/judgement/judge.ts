import { barOfBudget, barOfUnrest, chanceLevel, learnChance } from './asked-budget.js';
import {
  isOfRowsBefore,
  type Lasting,
  LASTS,
  LEFT_RANGE,
  ROW,
  STANDS_STILL,
  STAYS_OUTSIDE,
  UNLIKE_SEASON,
} from './evidence.js';
import { afterEpisodes, countJudged, LOUD, LOWEST_BAR } from './false-alarm-budget.js';
import { DAY_FAST, FAST, Forecasters, isOfDay, OF_WEEK, WEEK_SLOW } from '../expectation/forecasters.js';
import { B, F, P } from '../record/layout.js';
import * as layout from '../record/layout.js';
import { ABOVE, BELOW, enterPart, lessRecurring, NOT_THERE } from './recurrence.js';
import { profileHeight, SEASON_NONE, type SeasonalPoint } from '../season/season.js';
import { type SeriesRecord } from '../record/series-record.js';
import { learnMoves, Sizes, THREE_WEIGHT } from './sizes.js';
import { driftRate, isRestart, learnDrift, noteJump, noteRestart } from './steady-drift.js';
import { isReturn, isStepBackVisible, noteStepLeft } from './return-to-usual.js';

const { BESIDE_DAY, BESIDE_NOTHING, BESIDE_WEEK } = layout;
const { abs, ceil, max, min } = Math;

/** Number of days of the month in which false alarms are counted. */
const MONTH_DAYS = 30;
/** Number of rows before the first evidence. */
const WARM_UP_ROWS = 60;
/** Remaining evidence of a restart. */
const RESTART_EVIDENCE = 0.3;
/** Time after which the day contains the times at which a series restarts. */
const RESTARTS_KNOWN_SECONDS = 4 * 86_400;
/** Share of the range of days that the daily profile of a series spans if it restarts daily. */
const WHOLE_HEIGHT = 0.75;
/** Evidence from which a point still shows the open anomaly. */
const STILL = 0.5;
/**
 * Distance from the expectation at the start, in limits, from which a point shows the anomaly without other evidence,
 * and below which the point is back to normal.
 */
const AWAY = 1;
const BACK = 0.5;
/** Evidence over the lowest bar of a lasting condition, by its position in evidence.ts. */
const LASTING_EVIDENCE = [0, 1.1, 1.55] as const;
/** Minimum size of lasting evidence that is news. */
const LASTING_SIZE = [Infinity, 0.5, 0.3] as const;
/** For this time after an anomaly, a creep needs as large a row as the other lasting conditions. */
const FOUND_SECONDS = 86_400;
/**
 * Distance, in limits, of a row that may be the first of an anomaly, and number of rows after it: three rows together
 * can open one.
 */
const SUSPECT_SIZE = 0.3;
const SUSPECT_ROWS = 2;
/** Time by which a step of the day may be early or late, seconds. */
const LATE_SECONDS = 1200;
/** Minimum distance, in limits, at which an open anomaly continues: three rows of it are evidence. */
const MIN_HELD = 1 / THREE_WEIGHT;
/**
 * Offset from the week, in limits, from which the expectation of the week alone differs from that of the week relative
 * to the last days.
 */
const WEEK_ALONE = 0.5;
/**
 * Time, in addition to half a day, for which the return from a new normal is recognised (return-to-usual.ts): the week
 * still contains the former behaviour.
 */
const ACCEPTED_SECONDS = 6.5 * 86_400;
/** Share by which the expectation follows a row if only the last rows predict the series. */
const RELAXING = 1 / 120;
/**
 * The drawn range approaches a lasting value faster the longer it lasts: a third of the distance in these seconds, most
 * of it in twice this time.
 */
const FOLLOWING_SECONDS = 7200;
/** Maximum share of the distance in one row. */
const MAX_FOLLOWED = 1 / 6;

/**
 * Decides whether an anomaly opens: the size of a point under the forecaster that has recently predicted best
 * (sizes.ts), less the part that recurs at this time of day (recurrence.ts), over a bar that is the same for all series
 * except those that are loud every day (asked-budget.ts).
 */
export class Judge {
  /** Evidence over its bar: 1 opens an anomaly. */
  evidence = 0;
  /** True if the point still shows the open anomaly. */
  isStillAnomalous = false;
  /** The largest kind of evidence, by its position in EVIDENCE_NAMES. */
  which = ROW;
  /** Range of the values before this one. */
  lowestBefore = NaN;
  highestBefore = NaN;
  /** Requested number of false alarms a month; undefined: the default level. */
  asked: number | undefined;
  readonly forecasters = new Forecasters();
  readonly sizes = new Sizes();

  /** Computes the expectation of a point, before its value is known. */
  expect(record: SeriesRecord, at: SeasonalPoint): void {
    this.forecasters.expect(record, at);
    this.sizes.expect(record, at);
  }

  /**
   * Judges the expected point and learns it. `measured` is relative to the origin; `lasting`: evidence without a large
   * row; `stuck`: evidence over its bar of a constant value.
   */
  take(record: SeriesRecord, at: SeasonalPoint, measured: number, lasting: Lasting, stuck: number): void {
    const { f, b } = record;
    const { forecasters, sizes } = this;
    const { timestamp, resolution } = at;
    const isFirst = f[F.count] === 0;
    // The rate of a restarted counter lacks the counts from before the restart.
    const value = f[F.counterReset] === timestamp ? max(measured, forecasters.forecasts[forecasters.best]!) : measured;
    forecasters.value = value;
    if (isFirst) f[F.lowest] = f[F.highest] = value;
    this.lowestBefore = f[F.lowest]!;
    this.highestBefore = f[F.highest]!;
    f[F.lowest] = min(f[F.lowest]!, value);
    f[F.highest] = max(f[F.highest]!, value);
    const gap = isFirst ? 0 : timestamp - f[F.lastAnalysed]!;

    forecasters.take(record, at);
    sizes.take(record, at, forecasters);
    enterPart(record, at);
    // Outside the range of days because of a recent anomaly: not news.
    const wasFound = lasting === LEFT_RANGE && timestamp - f[F.lastAnomalous]! < FOUND_SECONDS;
    const least = LASTING_SIZE[wasFound ? STAYS_OUTSIDE : lasting];
    // A job that is expected at about this time may last.
    const isUnexpected = sizes.ofRows >= least && !forecasters.isNearStep;
    const lasts = isUnexpected ? LOWEST_BAR * LASTING_EVIDENCE[lasting] : 0;
    sizes.shown[LASTS] = lasts;
    this.which = lasts > sizes.largest ? LASTS : sizes.which;
    let evidence = f[F.count]! < WARM_UP_ROWS ? 0 : max(sizes.largest, lasts);
    if (evidence > RESTART_EVIDENCE && this.isRestart(record, value) && !this.knowsRestarts(record)) {
      evidence = RESTART_EVIDENCE;
      noteJump(record, abs(value - forecasters.forecasts[FAST]!));
    }
    const kind = sizes.isMissed ? NOT_THERE : sizes.side < 0 ? BELOW : ABOVE;
    if (!(sizes.isMissed && forecasters.edges.isOfJob)) evidence = lessRecurring(record, kind, evidence);
    if (evidence > RESTART_EVIDENCE && this.isReturn(record, at)) {
      evidence = RESTART_EVIDENCE;
      const isBack = isStepBackVisible(record, LOWEST_BAR * sizes.limit, timestamp, resolution);
      if (isBack && b[B.open] !== 1) forecasters.goBack(record);
    }
    countJudged(record, gap);
    const shippedBar = max(LOWEST_BAR, barOfUnrest(record, resolution));
    const constantEvidence = stuck > 0 ? lessRecurring(record, kind, stuck) : 0;
    sizes.shown[STANDS_STILL] = LOWEST_BAR * constantEvidence;
    const all = max(evidence, LOWEST_BAR * constantEvidence);
    if (constantEvidence > 0 && all > evidence) this.which = STANDS_STILL;
    learnChance(record, all, gap, resolution);
    const { asked, which } = this;
    const isOfBefore = isOfRowsBefore(which);
    if (asked === undefined) {
      this.evidence = afterEpisodes(record, max(evidence / shippedBar, constantEvidence), gap, resolution, isOfBefore);
      this.hold(record, at, stuck, LOWEST_BAR);
    } else {
      const bar = barOfBudget(record, asked / MONTH_DAYS, resolution);
      this.evidence = afterEpisodes(
        record,
        all / bar,
        gap,
        resolution,
        isOfBefore,
        max(LOUD, chanceLevel(record) / bar),
      );
      this.hold(record, at, stuck, min(LOWEST_BAR, bar));
    }

    learnMoves(record, value);
    learnDrift(record, value, timestamp, resolution);
    sizes.learn(record, at, forecasters, this.evidence >= 1);
    sizes.witness.learn(record, at, this.evidence >= 1);
    forecasters.learn(record);
  }

  /**
   * True for a restart. The side of the jump is also derived from the expected value, because the part that the day
   * does not explain may be on the other side.
   */
  private isRestart(record: SeriesRecord, value: number): boolean {
    const { best, forecasts } = this.forecasters;
    return isRestart(record, value, this.sizes.side) || isRestart(record, value, value < forecasts[best]! ? -1 : 1);
  }

  /** True for a return from the step of an earlier anomaly; the day may have learnt the step, and now expects it. */
  private isReturn(record: SeriesRecord, { timestamp, resolution }: SeasonalPoint): boolean {
    const { side, distance, limit } = this.sizes;
    return isReturn(record, side, distance, LOWEST_BAR * limit, timestamp, resolution);
  }

  /** The anomaly has ended with this point; not called if its behaviour has been accepted as normal. */
  close(record: SeriesRecord, { timestamp, resolution }: SeasonalPoint): void {
    const { f, p, b } = record;
    const isOfDay = b[B.heldBeside] === BESIDE_DAY;
    const left = (isOfDay ? p[P.dayFast]! : this.beside(record, f[F.fast]!)) - f[F.heldLevel]!;
    const isOther =
      b[B.season] !== SEASON_NONE && !isOfDay && abs(f[F.fast]! - this.forecasters.ofDay) < p[P.heldLimit]!;
    noteRestart(record, f[F.peakValue]! - f[F.expected]!, f[F.lastAnomalous]! - f[F.start]!);
    noteStepLeft(record, abs(left) < p[P.heldLimit]! || isOther ? 0 : left, timestamp);
    this.forecasters.resetAfterAnomaly(record, this.forecasters.value, resolution);
  }

  /**
   * The behaviour of the open anomaly is accepted as normal with this point: the return from it will be the end of the
   * trouble.
   */
  accept(record: SeriesRecord, { timestamp }: SeasonalPoint): void {
    const { f, p } = record;
    noteRestart(record, p[P.openShift]!, timestamp - f[F.start]!);
    noteStepLeft(record, p[P.openShift]!, timestamp + ACCEPTED_SECONDS);
  }

  /**
   * True if the day contains the time of the restarts: a restart at another time is then news. A series that restarts
   * every other day does not fit into a day.
   */
  private knowsRestarts(record: SeriesRecord): boolean {
    const { f, p } = record;
    if (!isOfDay(this.forecasters.best) || p[P.judgedSeconds]! < RESTARTS_KNOWN_SECONDS) return false;
    return profileHeight(record) >= WHOLE_HEIGHT * (f[F.rangeHigh]! - f[F.rangeLow]!);
  }

  /** While an anomaly is open, points are compared with the expectation before its first row. */
  private hold(record: SeriesRecord, at: SeasonalPoint, stuck: number, least: number): void {
    const { f, p, b } = record;
    const { value } = this.forecasters;
    if (b[B.open] !== 1) {
      this.holdLevel(record, at);
      // An anomaly that opens by three rows, or by lasting evidence, has a lower limit than one that opens by one row.
      const { limit } = this.sizes;
      const distance = abs(this.beside(record, value) - f[F.heldLevel]!);
      p[P.heldLimit] = LOWEST_BAR * (distance > MIN_HELD * limit ? min(limit, distance) : limit);
      b[B.heldLasting] = this.sizes.ofNow < least ? 1 : 0;
      this.isStillAnomalous = this.evidence >= 1;
      b[B.heldWitness] = 0;
      if (this.isStillAnomalous) this.holdDayLevel(record);
      return;
    }
    const beside = this.beside(record, value);
    const away = this.beyondHeld(record, beside, at.timestamp) / p[P.heldLimit]!;
    const followed = (at.resolution * (at.timestamp - f[F.start]!)) / FOLLOWING_SECONDS ** 2;
    f[F.heldMean] = f[F.heldMean]! + min(MAX_FOLLOWED, followed) * (beside - f[F.heldMean]!);
    this.isStillAnomalous =
      stuck > 0 || away > AWAY || (away > BACK && this.evidence >= STILL) || this.sizes.witness.stillConfirms(record);
  }

  /**
   * Keeps the expectation from before the first suspect row: the last rows learn from the first rows of an anomaly
   * before it opens.
   */
  private holdLevel(record: SeriesRecord, at: SeasonalPoint): void {
    const { f, p, b } = record;
    const { best, missed, forecasts, residual, value } = this.forecasters;
    if (p[P.heldRows]! > 0 && missed === 0) {
      p[P.heldRows] = p[P.heldRows]! - 1;
      return;
    }
    const distance = abs(value - forecasts[best]!);
    const isSuspect = distance > SUSPECT_SIZE * this.sizes.limit;
    if (isSuspect && missed === 0 && abs(residual) < distance / 2) {
      // A step of the day that has not occurred yet is not news until it is late.
      p[P.heldRows] = ceil(LATE_SECONDS / at.resolution);
      return;
    }
    if (isSuspect) p[P.heldRows] = SUSPECT_ROWS;
    this.forecasters.hold(record);
    // Until a day or week is known, its mean is a level, which moves with the values that are compared with it.
    const isBesideDay = (isOfDay(best) && b[B.dayKnown] === 1) || missed !== 0;
    const isBesideWeek = best === WEEK_SLOW && b[B.weekKnown] === 1;
    b[B.heldBeside] = isBesideDay ? BESIDE_DAY : isBesideWeek ? BESIDE_WEEK : BESIDE_NOTHING;
    f[F.heldLevel] = missed !== 0 ? 0 : this.beside(record, forecasts[best]!);
    f[F.heldFollowed] = best === FAST || best === DAY_FAST ? f[F.heldLevel] : NaN;
    f[F.heldMean] = f[F.heldLevel];
    p[P.heldDrift] = driftRate(record, forecasts[best]!, at.timestamp, at.resolution);
  }

  /**
   * When an anomaly opens by many rows, the last rows have already followed it, so it is compared with the level
   * relative to the day.
   */
  private holdDayLevel({ f, p, b }: SeriesRecord): void {
    if (this.which === UNLIKE_SEASON) {
      b[B.heldBeside] = this.sizes.witness.isWeek ? BESIDE_WEEK : BESIDE_DAY;
      f[F.heldLevel] = f[F.heldMean] = p[P.witnessOffset]!;
      f[F.heldFollowed] = NaN;
      return;
    }
    const isOfManyRows = this.which === LASTS || isOfRowsBefore(this.which);
    if (!isOfDay(this.forecasters.best) || !isOfManyRows) return;
    const level = p[P.heldDayLevel]!;
    f[F.heldLevel] = f[F.heldMean] = level;
    if (!Number.isNaN(f[F.heldFollowed]!)) f[F.heldFollowed] = level;
  }

  private beside(record: SeriesRecord, value: number): number {
    return value - this.forecasters.underHeld(record);
  }

  /**
   * Distance from the expectation at the start; the expectation of the day alone and the former long level also count
   * as expected. If only the last rows predict the next value, a lasting value soon becomes the expected one. All
   * values between these are also expected, because the return is not an anomaly. On a weekend that begins with a step,
   * the distance from the expectation of the week counts.
   */
  private beyondHeld(record: SeriesRecord, beside: number, timestamp: number): number {
    const { f, p, b } = record;
    const held = f[F.heldLevel]!;
    const drifted = held + p[P.heldDrift]! * (timestamp - f[F.start]!);
    const before = f[F.heldFollowed]!;
    const followed = Number.isNaN(before) ? held : before + RELAXING * (beside - before);
    if (!Number.isNaN(before)) f[F.heldFollowed] = followed;
    const isOfDay = b[B.heldBeside] === BESIDE_DAY;
    const long = b[B.heldBeside] === BESIDE_NOTHING ? f[F.heldLong]! : held;
    const day = isOfDay ? 0 : b[B.season] !== SEASON_NONE ? this.beside(record, this.forecasters.ofDay) : held;
    const highest = max(held, drifted, followed, day, long);
    const lowest = min(held, drifted, followed, day, long);
    const whole = max(0, beside - highest, lowest - beside);
    if (!this.forecasters.knowsWeek || abs(p[P.weekSlow]!) > WEEK_ALONE * this.sizes.limit) return whole;
    const other = abs(beside - this.beside(record, this.forecasters.ofWeek));
    return other < OF_WEEK * whole ? other : whole;
  }
}
