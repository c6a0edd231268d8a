import { afterEpisodes, barFor, DEFAULT_BUDGET, LOWEST_BAR } from './false-alarm-budget.js';
import { DAY_FAST, FAST, Forecasters, isOfDay } from './forecasters.js';
import { F } from './layout.js';
import { ABOVE, BELOW, enterPart, lessRecurring, NOT_THERE } from './recurrence.js';
import { type SeasonalPoint } from './season.js';
import { type SeriesRecord } from './series-record.js';
import { learnMoves, Sizes } from './sizes.js';
import { isRestart, learnDrift } from './steady-drift.js';

const { abs, max, min } = Math;

/** Rows before the first evidence. */
const WARM_UP_ROWS = 60;
/** Evidence that a restart leaves. */
const RESTART_EVIDENCE = 0.3;
/** Time after which the day knows when a series restarts. */
const RESTARTS_KNOWN_SECONDS = 4 * 86_400;
/** Evidence from which a point still shows the open anomaly. */
const STILL = 0.5;
/** Distance from what was expected at its start, in limits, that needs no evidence, and below which a point is back. */
const AWAY = 1;
const BACK = 0.5;
/** Largest size without which what lasts is no news. */
const LASTING_SIZE = 0.4;
/** Share by which the expectation follows a row, where the last rows are all that is known. */
const RELAXING = 1 / 120;

/**
 * What opens an anomaly: how large a point is under the forecaster that has lately predicted best (sizes.ts), less what
 * comes back at this time of day (recurrence.ts), over a bar that follows a budget of false alarms (false-alarm-budget.ts).
 */
export class Judge {
  /** Evidence over its bar: 1 opens an anomaly. */
  evidence = 0;
  /** The point still shows the open anomaly. */
  goesOn = false;
  /** False alarms a day that the series may cost. */
  budgetADay = DEFAULT_BUDGET / 30;
  readonly forecasters = new Forecasters();
  readonly sizes = new Sizes();

  /**
   * Judges a point and learns it. `measured` is relative to the origin; `lasting`: evidence over its bar that needs no size (a creep, a
   * lasting shift); `stuck`: the same of a value that stands still.
   */
  take(
    record: SeriesRecord,
    at: SeasonalPoint,
    measured: number,
    timestamp: number,
    localSeconds: number,
    resolution: number,
    lasting: number,
    stuck: number,
  ): void {
    const { f } = record;
    const { forecasters, sizes } = this;
    const isFirst = f[F.count] === 0;
    // The rate of a counter that has restarted lacks what was counted before that.
    const value = f[F.counterReset] === timestamp ? max(measured, forecasters.expected(record, at)) : measured;
    if (isFirst) f[F.lowest] = f[F.highest] = value;
    f[F.lowest] = min(f[F.lowest]!, value);
    f[F.highest] = max(f[F.highest]!, value);
    const gap = isFirst ? 0 : timestamp - f[F.lastAnalysed]!;
    const rowsADay = max(3, 86_400 / max(resolution, 1));

    forecasters.take(record, at, value, timestamp);
    sizes.take(record, forecasters, value, localSeconds, rowsADay);
    enterPart(record, localSeconds);
    // What is due about now may last.
    const lasts = sizes.largest >= LASTING_SIZE && !forecasters.isAboutDue ? LOWEST_BAR * lasting : 0;
    let evidence = f[F.count]! < WARM_UP_ROWS ? 0 : max(sizes.largest, lasts);
    // Where the day knows when it restarts, another time is news.
    const knowsWhen = isOfDay(forecasters.best) && f[F.judgedSeconds]! >= RESTARTS_KNOWN_SECONDS;
    if (!knowsWhen && isRestart(f, value, sizes.side)) evidence = min(evidence, RESTART_EVIDENCE);
    const kind = sizes.isDue ? NOT_THERE : sizes.side < 0 ? BELOW : ABOVE;
    evidence = lessRecurring(record, kind, evidence);
    const told = evidence / barFor(f, evidence, gap, this.budgetADay);
    this.evidence = afterEpisodes(f, max(told, stuck > 0 ? lessRecurring(record, kind, stuck) : 0), gap, resolution);
    this.hold(f, value, stuck);

    learnMoves(f, value);
    learnDrift(f, value, timestamp, resolution);
    sizes.learn(record, forecasters.residual, localSeconds, resolution);
    forecasters.learn(record, value);
  }

  /** While an anomaly is open, points are held against what was expected at its start. */
  private hold(f: Float64Array, value: number, stuck: number): void {
    const { best, forecasts, ofDay } = this.forecasters;
    if (f[F.open] !== 1) {
      this.forecasters.hold(f);
      f[F.heldDay] = isOfDay(best) || this.forecasters.due !== 0 ? 1 : 0;
      f[F.heldLevel] = this.forecasters.due !== 0 ? 0 : forecasts[best]! - (f[F.heldDay] === 1 ? ofDay : 0);
      f[F.heldLimit] = LOWEST_BAR * this.sizes.limit;
      f[F.heldLasting] = this.sizes.largest < LOWEST_BAR ? 1 : 0;
      f[F.heldFollowed] = best === FAST || best === DAY_FAST ? f[F.heldLevel]! : NaN;
      this.goesOn = this.evidence >= 1;
      return;
    }
    const beside = value - (f[F.heldDay] === 1 ? ofDay : 0);
    const away = this.beyondHeld(f, beside) / f[F.heldLimit]!;
    this.goesOn = stuck > 0 || away > AWAY || (away > BACK && this.evidence >= STILL);
  }

  /**
   * Distance from what was expected at the start. Where nothing but the last rows says what is next, what stays is soon what was
   * expected, and all between the two as well: the way back is no anomaly.
   */
  private beyondHeld(f: Float64Array, beside: number): number {
    const held = f[F.heldLevel]!;
    const before = f[F.heldFollowed]!;
    if (Number.isNaN(before)) return abs(beside - held);
    const followed = (f[F.heldFollowed] = before + RELAXING * (beside - before));
    return max(0, beside - max(held, followed), min(held, followed) - beside);
  }
}
