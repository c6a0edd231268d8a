import { dailySine, DAY, series, workingDays } from '#libs/detection/testing';
import { LearntSeries } from '../learnt-series.js';
import { ALWAYS, atLeast, atMostADay, between, cell, type Scene, scene, yes } from '../cell.js';
import { findsCell } from '../events.js';
import { insideRange, openedInDays, soundNumbers, watch } from '../watched.js';

/** Series with an interval other than one minute. */

const FIVE_MINUTES = 300;
const HOUR = 3600;

const usesPeriod = (seconds: number) =>
  cell(`a period of ${seconds / DAY} days is in use`, atLeast(0.95), ({ progress }: LearntSeries) =>
    yes(progress.seasonalPeriods.includes(seconds), progress.seasonalPeriods.join(' ') || 'none'),
  );

export const otherClocks: readonly Scene[] = [
  scene(
    'a point every five minutes, daily sine',
    (seed) => new LearntSeries(dailySine(seed), { learntDays: 14, restDays: 1.5, stepSeconds: FIVE_MINUTES }),
  ).with([
    usesPeriod(DAY),
    findsCell('60 min of +10 sigma, within 3 points', atLeast(0.99), {
      minutes: 60,
      within: 15,
      change: (x) => x + 10,
    }),
    findsCell('60 min of -10 sigma, within 3 points', atLeast(0.99), {
      minutes: 60,
      within: 15,
      change: (x) => x - 10,
    }),
    findsCell('one point of 20 sigma', atLeast(0.95), { minutes: 5, within: 5, change: (x) => x + 20 }),
  ]),
  scene('five minutes, uneventful daily sine', (seed) => watch(series(28, FIVE_MINUTES, dailySine(seed)))).with([
    cell('false alarms, days 14 to 28', atMostADay(0.02), (watched) => openedInDays(watched, 14, 28)),
    cell('points in the expected range', between(0.97, 0.995), (watched) => insideRange(watched, 14)),
  ]),
  scene(
    'a point every hour, daily sine',
    (seed) => new LearntSeries(dailySine(seed), { learntDays: 21, restDays: 2, stepSeconds: HOUR }),
  ).with([
    usesPeriod(DAY),
    findsCell('4 hours of +15 sigma, within 3 points', atLeast(0.95), {
      minutes: 240,
      within: 180,
      change: (x) => x + 15,
    }),
    findsCell('4 hours of -15 sigma, within 3 points', atLeast(0.95), {
      minutes: 240,
      within: 180,
      change: (x) => x - 15,
    }),
  ]),
  scene('every hour, uneventful daily sine', (seed) => watch(series(49, HOUR, dailySine(seed)))).with([
    cell('false alarms, days 21 to 49', atMostADay(0.02), (watched) => openedInDays(watched, 21, 49)),
    cell('points in the expected range', between(0.97, 0.995), (watched) => insideRange(watched, 21)),
  ]),
  scene(
    'a point every hour, weekday/weekend cycle',
    (seed) => new LearntSeries(workingDays(seed), { learntDays: 28, restDays: 8, stepSeconds: HOUR }),
  ).with([
    usesPeriod(7 * DAY),
    // Fifteen noise deviations: little compared with the difference between weekdays and the weekend.
    findsCell('4 hours of +45, within 3 points', atLeast(0.95), {
      minutes: 240,
      within: 180,
      change: (x) => x + 45,
      from: (learnt, chance) => learnt.anyMoment(chance, 7),
    }),
  ]),
  scene('every hour, uneventful weekday/weekend cycle', (seed) => watch(series(56, HOUR, workingDays(seed)))).with([
    cell('false alarms, days 28 to 56', atMostADay(0.02), (watched) => openedInDays(watched, 28, 56)),
  ]),
  scene(
    'a point every day, weekday/weekend cycle',
    (seed) => new LearntSeries(workingDays(seed), { learntDays: 26 * 7, restDays: 21, stepSeconds: DAY }),
  ).with([
    usesPeriod(7 * DAY),
    findsCell('one day of +45', atLeast(0.95), {
      minutes: 1440,
      within: 1440,
      change: (x) => x + 45,
      from: (learnt, chance) => learnt.anyMoment(chance, 7),
    }),
  ]),
  scene('every day, uneventful weekday/weekend cycle', (seed) => watch(series(52 * 7, DAY, workingDays(seed)))).with([
    cell('numbers are numbers', ALWAYS, soundNumbers),
    cell('false alarms in the second half of a year', atMostADay(0.02), (watched) =>
      openedInDays(watched, 26 * 7, 52 * 7),
    ),
  ]),
];
