import {
  autoregressive,
  dailySine,
  DAY,
  type Generator,
  logNormal,
  poissonCounts,
  series,
  START,
  white,
  workingDays,
} from '#libs/detection/testing';
import { atLeast, atMostADay, between, type Cell, cell, ratioAtMost, type Scene, scene, reportOnly } from '../cell.js';
import {
  againstSeasonalNaive,
  calmBetween,
  dayOf,
  insideRange,
  openedInDays,
  watch,
  type Watched,
} from '../watched.js';

/** Conditions for the expected range of normal points after `learntDays`. */
function rangeCells(learntDays: number, seasonSeconds: number): Cell<Watched>[] {
  return [
    cell('points in the expected range, days 2 to 14', reportOnly('point'), (watched) => insideRange(watched, 2, 14)),
    cell('points in the expected range, after 14 days', between(0.97, 0.995), (watched) => insideRange(watched, 14)),
    // By noise alone, the interval of a naive forecast is 1.41 times as wide: no range can be better than 0.71 here.
    cell('interval score over that of a seasonal-naive forecast', ratioAtMost(0.85), (watched) =>
      againstSeasonalNaive(watched, learntDays, seasonSeconds),
    ),
  ];
}

/** Nothing happens in 20 days. */
function uneventful(name: string, make: (seed: number) => Generator): Scene {
  return scene(name, (seed) => watch(series(20, 60, make(seed)))).with([
    cell('false alarms, days 14 to 20', atMostADay(0.02), (watched) => openedInDays(watched, 14, 20)),
    cell('false alarms, days 2 to 14', reportOnly('day'), (watched) => openedInDays(watched, 2, 14)),
    ...rangeCells(14, DAY),
  ]);
}

/** First timestamp (00:00 UTC) of a day of the week (0: Sunday), from day `fromDay` of the series on. */
function firstOf(watched: Watched, dayOfWeek: number, fromDay: number): number {
  const from = dayOf(watched, fromDay);
  const first = Math.floor(from / DAY + 4) % 7;
  return from + ((dayOfWeek - first + 7) % 7) * DAY;
}

const SUNDAY = 0;
const MONDAY = 1;
const SATURDAY = 6;

export const falseAlarms: readonly Scene[] = [
  uneventful('uneventful white noise', white),
  uneventful('uneventful log-normal noise', logNormal),
  uneventful('uneventful AR(1) 0.99', (seed) => autoregressive(seed, 0.99)),
  uneventful('uneventful daily sine', dailySine),
  uneventful('uneventful counts', (seed) => poissonCounts(seed, 20)),
  scene(
    'uneventful weekday/weekend cycle',
    // The series begins on any day of the week.
    (seed) => watch(series(22, 60, workingDays(seed), START + ((seed >>> 0) % 7) * DAY)),
  ).with([
    cell('false alarms, days 15 to 22', atMostADay(0.02), (watched) => openedInDays(watched, 15, 22)),
    cell('false alarms, days 2 to 15', reportOnly('day'), (watched) => openedInDays(watched, 2, 15)),
    // Weeks are not known yet: the change of level is reported, and the daily wave on the new level may be.
    cell('at most two anomalies on the very first Monday after a weekend', atLeast(0.99), (watched) => {
      const monday = firstOf(watched, SUNDAY, 1) + DAY;
      return calmBetween(watched, monday, monday + DAY, 2);
    }),
    cell('no storm on the first weekend after 14 days', atLeast(0.99), (watched) => {
      const saturday = firstOf(watched, SATURDAY, 14);
      return calmBetween(watched, saturday, saturday + 2 * DAY);
    }),
    cell('no storm on the first Monday after 14 days', atLeast(0.99), (watched) => {
      const monday = firstOf(watched, MONDAY, 14);
      return calmBetween(watched, monday, monday + DAY);
    }),
    ...rangeCells(15, 7 * DAY),
  ]),
];
