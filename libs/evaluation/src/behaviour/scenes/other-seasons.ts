import { type DetectSeriesOptions } from '#libs/detection';
import { DAY, during, type Generator, pulses, series, START, wave } from '#libs/detection/testing';
import { LearntSeries } from '../learnt-series.js';
import { atLeast, atMostADay, type Cell, cell, type Goal, ratioAtMost, type Scene, scene, yes } from '../cell.js';
import { findsCell } from '../events.js';
import { againstSeasonalNaive, openedInDays, watch, type Watched } from '../watched.js';

/** Seasons other than the day: parts of it, found in the data, or configured. */

const HALF_DAY = DAY / 2;
/** 8 h 20 min: neither a day nor a week is a multiple of it. */
const ODD_PERIOD = 30_000;
const DAYS = 14;
const HOUR = 3600;
/** Periods of which a day is not a multiple. */
const OTHER_HOURS = [2.5, 5, 7, 10, 30];

/** Three minutes of +16 sigma in a trough of the wave on the last day are found. */
function findsInTrough(name: string, goal: Goal, period: number, options: Partial<DetectSeriesOptions>): Scene {
  return scene(name, (seed) => seed).with([
    cell('3 min of +16 sigma in the trough', goal, (seed, chance) => {
      const firstTrough = Math.ceil((START + (DAYS - 1) * DAY) / period - 0.75) * period + 0.75 * period;
      const trough = firstTrough + 60 * Math.round((chance() - 0.5) * (period / 600));
      const { verdicts } = watch(
        series(
          DAYS,
          60,
          during(wave(seed, period, 6), (trough - START) / DAY, 3, (x) => x + 16),
        ),
        options,
      );
      const row = Math.round((trough - START) / 60);
      return yes(
        verdicts.anomalous.subarray(row, row + 3).some((open) => open === 1),
        'nothing',
      );
    }),
  ]);
}

function quiet(
  name: string,
  make: (seed: number) => Generator,
  options: Partial<DetectSeriesOptions>,
  cells: Cell<Watched>[],
): Scene {
  return scene(name, (seed) => watch(series(DAYS, 60, make(seed)), options)).with(cells);
}

const afterAWeek = (goal: Goal): Cell<Watched> =>
  cell('false alarms, days 7 to 14', goal, (watched) => openedInDays(watched, 7, DAYS));

export const otherSeasons: readonly Scene[] = [
  scene('a 12-hour sine', (seed) => new LearntSeries(wave(seed, HALF_DAY, 6), { learntDays: 14, restDays: 1.5 })).with([
    cell('a period is in use that it fits in', atLeast(0.95), ({ progress: { seasonalPeriods } }) =>
      yes(
        seasonalPeriods.some((period) => period % HALF_DAY === 0),
        seasonalPeriods.join(' ') || 'none',
      ),
    ),
    findsCell('60 min of +10 sigma, within 10 min', atLeast(0.95), { minutes: 60, within: 10, change: (x) => x + 10 }),
    findsCell('60 min of -10 sigma, within 10 min', atLeast(0.95), { minutes: 60, within: 10, change: (x) => x - 10 }),
  ]),
  quiet('an uneventful 12-hour sine', (seed) => wave(seed, HALF_DAY, 6), {}, [
    afterAWeek(atMostADay(0.02)),
    cell('interval score over that of a seasonal-naive forecast', ratioAtMost(0.8), (watched) =>
      againstSeasonalNaive(watched, 7, HALF_DAY),
    ),
  ]),
  quiet('a job every 8 h 20 min, period given', (seed) => pulses(seed, ODD_PERIOD), { periodSeconds: ODD_PERIOD }, [
    afterAWeek(atMostADay(0.1)),
  ]),
  quiet('a job every 8 h 20 min, period not given', (seed) => pulses(seed, ODD_PERIOD), {}, [
    afterAWeek(atMostADay(0.1)),
  ]),
  quiet('a sine of 8 h 20 min, period given', (seed) => wave(seed, ODD_PERIOD, 6), { periodSeconds: ODD_PERIOD }, [
    afterAWeek(atMostADay(0.02)),
    cell('interval score over that of a seasonal-naive forecast', ratioAtMost(0.8), (watched) =>
      againstSeasonalNaive(watched, 7, ODD_PERIOD),
    ),
  ]),
  quiet('a sine of 8 h 20 min, period not given', (seed) => wave(seed, ODD_PERIOD, 6), {}, [
    afterAWeek(atMostADay(0.02)),
    cell('interval score over that of a seasonal-naive forecast', ratioAtMost(0.8), (watched) =>
      againstSeasonalNaive(watched, 7, ODD_PERIOD),
    ),
  ]),
  ...OTHER_HOURS.map((hours) =>
    quiet(`a job every ${hours} h, period not given`, (seed) => pulses(seed, hours * HOUR), {}, [
      cell('false alarms, days 10 to 14', atMostADay(0.1), (watched) => openedInDays(watched, 10, DAYS)),
    ]),
  ),
  ...[...OTHER_HOURS, 36].map((hours) =>
    scene(
      `a sine of ${hours} h`,
      (seed) => new LearntSeries(wave(seed, hours * HOUR, 6), { learntDays: 10, restDays: 1.5 }),
    ).with([
      cell('its length is found', atLeast(0.95), ({ progress: { seasonalPeriods } }) =>
        yes(
          seasonalPeriods.some((period) => Math.abs(period - hours * HOUR) < 0.01 * hours * HOUR),
          seasonalPeriods.join(' ') || 'none',
        ),
      ),
      findsCell('60 min of +10 sigma, within 10 min', atLeast(0.95), {
        minutes: 60,
        within: 10,
        change: (x) => x + 10,
      }),
    ]),
  ),
  findsInTrough('a 12-hour sine on its last day', atLeast(0.95), HALF_DAY, {}),
  findsInTrough('a sine of 8 h 20 min, period given', atLeast(0.95), ODD_PERIOD, { periodSeconds: ODD_PERIOD }),
  findsInTrough('a sine of 8 h 20 min, period not given', atLeast(0.95), ODD_PERIOD, {}),
];
