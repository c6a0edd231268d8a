import { type DetectSeriesOptions } from '#libs/detection';
import {
  counterWithResets,
  dailySine,
  fewIntegers,
  movedConstant,
  type Rows,
  scaled,
  series,
  sparseCounts,
  START,
  stickyInteger,
  uniform,
  white,
} from '#libs/detection/testing';
import { ALWAYS, atMostADay, between, type Cell, cell, type Scene, scene, yes } from '../cell.js';
import { insideRange, openedInDays, soundNumbers, watch, type Watched } from '../watched.js';

const DAYS = 10;

const isSound: Cell<Watched> = cell('numbers are numbers', ALWAYS, soundNumbers);
const noStorm: Cell<Watched> = cell('no storm', atMostADay(0.1), (watched) => openedInDays(watched, 1, DAYS));

function awkward(name: string, rows: (seed: number) => Rows, options: Partial<DetectSeriesOptions> = {}): Scene {
  return scene(name, (seed) => watch(rows(seed), options)).with([isSound, noStorm]);
}

/** Three in ten rows missing, the others up to 50 s late. */
function irregular(seed: number): Rows {
  const { timestamps, values } = series(DAYS, 60, dailySine(seed));
  const next = uniform(~seed);
  const kept = [...timestamps.keys()].filter(() => next() > 0.3);
  return {
    timestamps: Float64Array.from(kept, (row) => timestamps[row]! + Math.floor(50 * next())),
    values: Float64Array.from(kept, (row) => values[row]!),
  };
}

/** Invalid rows among valid ones: not finite, resent, in the past. */
function withUnusableRows(seed: number): Rows {
  const rows = series(DAYS, 60, dailySine(seed));
  const next = uniform(~seed);
  for (let row = 1; row < rows.values.length; row++) {
    const lot = next();
    if (lot < 0.01) rows.values[row] = [NaN, Infinity, -Infinity][row % 3]!;
    else if (lot < 0.02) rows.timestamps[row] = rows.timestamps[row - 1]!;
    else if (lot < 0.03) rows.timestamps[row] = START - 3600;
  }
  return rows;
}

const ABSURD_DAY = 6;

function withOneAbsurdValue(seed: number): Rows {
  const rows = series(ABSURD_DAY + 2, 60, white(seed));
  rows.values[ABSURD_DAY * 1440 + 7] = 1e300;
  return rows;
}

function moved(name: string, before: number, after: number): Scene {
  return scene(name, (seed) => {
    const day = 2 + 3 * uniform(seed)();
    return watch(series(8, 60, movedConstant(before, after, day)));
  }).with([
    isSound,
    cell('exactly one anomaly, of the next 24 hours', ALWAYS, ({ verdicts }) => {
      const opened = verdicts.anomalies.filter(({ type }) => type === 'opened').length;
      if (opened !== 1) return yes(false, `${opened} opened`);
      const reason = verdicts.anomalies.at(-1)!.closeReason;
      return yes(reason === 'adapted', reason ?? 'still open');
    }),
    cell('afterwards the new value is the expected one', ALWAYS, ({ verdicts }) =>
      yes(Math.abs(verdicts.yhat.at(-1)! - after) <= 1e-6 * Math.abs(after - before)),
    ),
  ]);
}

export const awkwardSeries: readonly Scene[] = [
  awkward('a counter with resets', (seed) => series(DAYS, 60, counterWithResets(seed)), { type: 'counter' }),
  awkward('low traffic, mostly zeros', (seed) => series(DAYS, 60, sparseCounts(seed))),
  scene('integers 0 to 4', (seed) => watch(series(DAYS, 60, fewIntegers(seed)))).with([
    isSound,
    noStorm,
    cell('points in the expected range', between(0.97, 1), (watched) => insideRange(watched, 2)),
  ]),
  awkward('an integer that mostly stays', (seed) => series(DAYS, 60, stickyInteger(seed))),
  awkward('zero for ever', () => series(DAYS, 60, () => 0)),
  moved('a constant that moves once, by a fifth', 5, 6),
  moved('a constant that moves once, from zero', 0, 1e-6),
  moved('a constant that moves once, to zero', 1e9, 0),
  awkward('values of 1e-9', (seed) => series(DAYS, 60, scaled(dailySine(seed), 1e-10, 1e-9))),
  awkward('values of 1e12', (seed) => series(DAYS, 60, scaled(dailySine(seed), 1e11, 1e12))),
  awkward('values near 1e12 that differ by 1', (seed) => series(DAYS, 60, scaled(white(seed), 1, 1e12))),
  awkward('negative values', (seed) => series(DAYS, 60, scaled(dailySine(seed), -3, -100))),
  awkward('irregular and missing points', irregular),
  awkward('irregular and missing points, in slots', irregular, { slotSeconds: 60 }),
  awkward('rows that cannot be read', withUnusableRows),
  scene('one value of 1e300', (seed) => watch(withOneAbsurdValue(seed))).with([
    isSound,
    cell('one anomaly, on its day', ALWAYS, (watched) => {
      const { hits } = openedInDays(watched, ABSURD_DAY, ABSURD_DAY + 1);
      return yes(hits === 1, `${hits} opened`);
    }),
    cell('points in the expected range afterwards', between(0.96, 1), (watched) =>
      insideRange(watched, ABSURD_DAY + 0.1),
    ),
  ]),
];
