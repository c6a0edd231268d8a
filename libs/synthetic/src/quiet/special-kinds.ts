import { seedOf } from '../hash-noise.js';
import { LocalClock } from '../local-clock.js';
import { Draw } from './draw.js';
import { dayCurve } from './quiet-kinds.js';
import { QUIET_START, type QuietSeries } from './quiet-series.js';

const { max, round } = Math;

/**
 * Series of operations that the ordinary kinds do not cover: calendars longer than a day, other paces of rows, and
 * trouble with a special shape. Time is read in UTC.
 */

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const WEEK = 7 * DAY;
/** QUIET_START is a Wednesday; Monday 0. */
const FIRST_WEEKDAY = 2;
/** The clocks of most of Europe go forward. */
const CLOCKS_CHANGE = Date.UTC(2025, 2, 30, 1) / 1000;

/** Value at a time, Unix seconds; asked in order. */
type TimeModel = (timestamp: number) => number;

interface SpecialKindDefinition {
  stepSeconds: number;
  /** Unix seconds. */
  start: number;
  days: number;
  /** Days that a detector learns before it is judged. */
  learntDays: number;
  /**
   * Seconds from `learntDays` on to the first row of trouble, and how long a detector has to open an anomaly; omitted:
   * nothing happens.
   */
  trouble?: (draw: Draw) => { after: number; seconds: number };
  model: (draw: Draw, troubleAt: number) => TimeModel;
}

/** A special series. `trouble`: first row and the row after the last in which it is to be found; null: nothing happens. */
export interface SpecialSeries extends QuietSeries {
  /** Row from which a detector is judged. */
  judgedFrom: number;
  trouble: { from: number; until: number } | null;
}

const MINUTES = { stepSeconds: MINUTE, start: QUIET_START };

/** A job of two hours, once a week; it begins up to five minutes late. */
const weeklyJob: SpecialKindDefinition = {
  ...MINUTES,
  days: 56,
  learntDays: 24,
  model: (draw) => {
    const height = draw.uniform(30, 80);
    const usual = draw.whole(0, 6) * DAY + draw.whole(0, 22) * HOUR;
    let start = 0;
    return (timestamp) => {
      const inWeek = (timestamp - QUIET_START) % WEEK;
      if (inWeek === 0) start = usual + MINUTE * draw.whole(0, 5);
      const isRunning = inWeek >= start && inWeek < start + 2 * HOUR;
      return 10 + draw.normal() + (isRunning ? height + 2 * draw.normal() : 0);
    };
  },
};

/** A job of four hours on the first of the month, in rows of five minutes. */
const monthlyJob: SpecialKindDefinition = {
  stepSeconds: 5 * MINUTE,
  start: QUIET_START,
  days: 243,
  learntDays: 100,
  model: (draw) => {
    const height = draw.uniform(30, 80);
    const start = draw.whole(0, 19) * HOUR;
    return (timestamp) => {
      const inDay = timestamp % DAY;
      const isFirst = new Date(timestamp * 1000).getUTCDate() === 1;
      const isRunning = isFirst && inDay >= start && inDay < start + 4 * HOUR;
      return 10 + draw.normal() + (isRunning ? height + 2 * draw.normal() : 0);
    };
  },
};

/** People's day in Berlin, with a step when work begins and ends; the eight days after the clocks have changed are judged. */
const clockChange: SpecialKindDefinition = {
  stepSeconds: MINUTE,
  start: CLOCKS_CHANGE - HOUR - 35 * DAY,
  days: 43,
  learntDays: 35,
  model: (draw) => {
    const clock = new LocalClock('Europe/Berlin');
    const level = 10 ** draw.uniform(1, 4);
    const curve = dayCurve(draw);
    const work = draw.uniform(0.2, 0.8);
    const weekend = draw.uniform(0.3, 0.6);
    const noise = draw.uniform(0.02, 0.06);
    return (timestamp) => {
      const local = clock.wallSeconds(timestamp);
      const minute = (local % DAY) / MINUTE;
      const isWorkTime = minute >= 8 * 60 && minute < 18 * 60;
      const isWeekend = (Math.floor(local / DAY) + 3) % 7 >= 5;
      const shape = curve(minute) + (isWorkTime ? work : 0);
      return level * shape * (isWeekend ? weekend : 1) * (1 + noise * draw.normal());
    };
  },
};

/** Noise at a slow pace; `weekdays`: weekends are lower in two series of three. */
const slowRows = (stepSeconds: number, rows: number, weekdays: boolean): SpecialKindDefinition => ({
  stepSeconds,
  start: QUIET_START,
  days: (rows * stepSeconds) / DAY,
  learntDays: (100 * stepSeconds) / DAY,
  model: (draw) => {
    const level = 10 ** draw.uniform(0, 4);
    const noise = draw.uniform(0.02, 0.2);
    const weekend = weekdays && draw.isTrue(0.67) ? draw.uniform(0.3, 0.8) : 1;
    return (timestamp) => {
      const weekday = (Math.floor((timestamp - QUIET_START) / DAY) + FIRST_WEEKDAY) % 7;
      return level * (weekday >= 5 ? weekend : 1) * (1 + noise * draw.normal());
    };
  },
});

/** A deployment after which all values are permanently 15 % higher. An anomaly is to open within half a day. */
const deployShift: SpecialKindDefinition = {
  ...MINUTES,
  days: 18,
  learntDays: 14,
  trouble: (draw) => ({ after: round(draw.uniform(0, 2 * DAY)), seconds: DAY / 2 }),
  model: (draw, troubleAt) => {
    const level = 10 ** draw.uniform(0, 4);
    const curve = dayCurve(draw);
    const noise = draw.uniform(0.01, 0.03);
    return (timestamp) => {
      const value = level * (curve((timestamp % DAY) / MINUTE) + noise * draw.normal());
      return timestamp < troubleAt ? value : 1.15 * value;
    };
  },
};

/** A rising series is far below its line for ten rows, and continues where it would have been. */
const rampFall: SpecialKindDefinition = {
  ...MINUTES,
  days: 11,
  learntDays: 7,
  trouble: (draw) => ({ after: round(draw.uniform(0, 3 * DAY)), seconds: 10 * MINUTE }),
  model: (draw, troubleAt) => {
    const first = draw.uniform(200, 400);
    const perDay = draw.uniform(50, 200);
    const noise = draw.uniform(1, 4);
    const depth = draw.uniform(0.3, 0.8);
    return (timestamp) => {
      const value = first + (perDay * (timestamp - QUIET_START)) / DAY + noise * draw.normal();
      const isOff = timestamp >= troubleAt && timestamp < troubleAt + 10 * MINUTE;
      return isOff ? depth * value : value;
    };
  },
};

/** A value that never changes, but for one row. */
const flatRow: SpecialKindDefinition = {
  ...MINUTES,
  days: 11,
  learntDays: 7,
  trouble: (draw) => ({ after: round(draw.uniform(0, 3 * DAY)), seconds: MINUTE }),
  model: (draw, troubleAt) => {
    const level = draw.whole(1, 100);
    const off = level + (draw.isTrue(0.5) ? 1 : -1) * max(1, round(level * draw.uniform(0.2, 1)));
    return (timestamp) => (timestamp >= troubleAt && timestamp < troubleAt + MINUTE ? off : level);
  },
};

/** The kinds, by name. */
const SPECIAL_KINDS = {
  weekly_job: weeklyJob,
  monthly_job: monthlyJob,
  clock_change: clockChange,
  rows_of_6_hours: slowRows(6 * HOUR, 1500, false),
  rows_of_a_day: slowRows(DAY, 1100, true),
  rows_of_a_week: slowRows(WEEK, 300, false),
  deploy_shift: deployShift,
  ramp_fall: rampFall,
  flat_row: flatRow,
} as const satisfies Record<string, SpecialKindDefinition>;

export type SpecialKind = keyof typeof SPECIAL_KINDS;
export const SPECIAL_KIND_NAMES = Object.keys(SPECIAL_KINDS) as SpecialKind[];

/** A series of that kind; the same for the same seed. */
export function specialSeries(kind: SpecialKind, seed: number): SpecialSeries {
  const { stepSeconds, start, days, learntDays, trouble, model }: SpecialKindDefinition = SPECIAL_KINDS[kind];
  const draw = new Draw(seedOf(seed, kind));
  const rows = Math.floor((days * DAY) / stepSeconds);
  const judgedFrom = Math.ceil((learntDays * DAY) / stepSeconds);
  const planned = trouble?.(draw);
  const from = judgedFrom + Math.ceil((planned?.after ?? 0) / stepSeconds);
  const valueAt = model(draw, start + from * stepSeconds);
  const timestamps = Float64Array.from({ length: rows }, (_, row) => start + row * stepSeconds);
  const values = timestamps.map(valueAt);
  const isAnomalous = planned !== undefined;
  return {
    timestamps,
    values,
    judgedFrom,
    trouble: isAnomalous ? { from, until: from + Math.ceil(planned.seconds / stepSeconds) } : null,
  };
}
