import { detectSeries } from '../../detect-series.js';
import { dailySine, during, type Generator, normal, series, uniform, white, workingDays } from '../../testing/index.js';
import { type SeriesVerdicts } from '../../types.js';
import { ExpectedRange } from './expected-range.js';
import { Forecasters } from './forecasters.js';
import { F, P } from '../record/layout.js';
import { createRecord } from '../reset-record.js';
import { type SeriesRecord } from '../record/series-record.js';
import { SeasonalPoint } from '../season/season.js';

type Draws = (seed: number) => () => number;

const LAWS: [string, Draws][] = [
  ['normal', normal],
  [
    'heavy-tailed (Student, 2 degrees of freedom)',
    (seed) => {
      const noise = normal(seed);
      return () => noise() / Math.sqrt((noise() ** 2 + noise() ** 2) / 2);
    },
  ],
  [
    'skewed (exponential)',
    (seed) => {
      const next = uniform(seed);
      return () => -Math.log(1 - next()) - 1;
    },
  ],
  [
    'skewed downwards',
    (seed) => {
      const noise = normal(seed);
      return () => 1 - Math.exp(noise());
    },
  ],
];

/** Learns `rows` distances from a forecast of 0; returns the share of them beyond each bound, from `fromRow` on. */
function outside(record: SeriesRecord, rows: number, next: () => number, fromRow = 0): { low: number; high: number } {
  const [range, at, forecasters] = [new ExpectedRange(), new SeasonalPoint(), new Forecasters()];
  let low = 0;
  let high = 0;
  for (let row = 0; row < rows; row++) {
    const value = next();
    range.read(record, at, forecasters, 1);
    if (row >= fromRow && range.sideOf(value) < 0) low++;
    if (row >= fromRow && range.sideOf(value) > 0) high++;
    range.learn(record, value);
    record.f[F.count] = record.f[F.count]! + 1;
  }
  return { low: low / (rows - fromRow), high: high / (rows - fromRow) };
}

function highest(record: SeriesRecord): number {
  const range = new ExpectedRange();
  range.read(record, new SeasonalPoint(), new Forecasters(), 1);
  return range.upper;
}

describe('ExpectedRange', () => {
  it.each(LAWS)('has a share of 0.36 %% of values beyond each bound in the long run: %s', (_, draws) => {
    for (const seed of [2, 3]) {
      const { low, high } = outside(createRecord(), 100_000, draws(seed), 20_000);
      expect(Math.abs(low - 0.0036)).toBeLessThan(0.0008);
      expect(Math.abs(high - 0.0036)).toBeLessThan(0.0008);
    }
  });

  it('contains more than 96 % of a normal series from the beginning', () => {
    const { low, high } = outside(createRecord(), 1000, normal(4));
    expect(low + high).toBeLessThan(0.04);
  });

  it.each([10, 0.1])('adapts its width within a day when distances become %d times as large', (factor) => {
    const record = createRecord();
    outside(record, 20_000, normal(5));
    const next = normal(6);
    outside(record, 1440, () => factor * next());
    const { low, high } = outside(record, 5000, () => factor * next());
    expect(low + high).toBeLessThan(0.03);
    expect(highest(record) / factor).toBeLessThan(5);
  });

  it('weights the variation of the latest rows by how well it predicts the next row', () => {
    const record = createRecord();
    const { p } = record;
    const next = normal(8);
    outside(record, 10_000, next);
    expect(p[P.unrest]).toBeLessThan(0.2);
    let row = 0;
    outside(record, 10_000, () => (row++ % 200 < 100 ? 5 : 1) * next());
    expect(p[P.unrest]).toBeGreaterThan(0.5);
  });
});

const detect = (days: number, step: number, value: Generator): SeriesVerdicts => {
  const { timestamps, values } = series(days, step, value);
  return detectSeries(timestamps, values, { type: 'gauge' });
};

/** Mean difference from one row to the next, in the rows of a day (minutes) for which `isMeant` is true. */
function meanStep(column: Float64Array, fromDay: number, isMeant: (minute: number) => boolean): number {
  let sum = 0;
  let rows = 0;
  for (let row = fromDay * 1440; row < column.length; row++) {
    if (!isMeant(row % 1440)) continue;
    sum += Math.abs(column[row]! - column[row - 1]!);
    rows++;
  }
  return sum / rows;
}

describe('the expected range of detectSeries', () => {
  const wave = detect(14, 60, dailySine(11));
  const width = ({ lower, upper }: SeriesVerdicts, row: number): number => upper[row]! - lower[row]!;
  const meanWidth = (verdicts: SeriesVerdicts, from: number, rows: number): number =>
    Array.from({ length: rows }, (_, i) => width(verdicts, from + i)).reduce((sum, one) => sum + one, 0) / rows;

  it.each(['yhat', 'lower', 'upper'] as const)(
    'does not jump at ten minutes, at the hour, or at midnight: %s',
    (name) => {
      const column = wave[name];
      const usual = meanStep(column, 3, (minute) => minute % 10 !== 0);
      for (const isEdge of [
        (minute: number) => minute % 10 === 0,
        (minute: number) => minute % 60 === 0,
        (minute: number) => minute === 0,
      ]) {
        expect(meanStep(column, 3, isEdge)).toBeLessThan(2 * usual + 0.02 * width(wave, column.length - 1));
      }
    },
  );

  it('adapts within three days when a series begins to vary after two constant months', () => {
    const next = normal(7);
    const { values, lower, upper } = detect(75, 300, (row) => (row < 60 * 288 ? 5 : 5 + next()));
    let inside = 0;
    const from = 63 * 288;
    for (let row = from; row < values.length; row++) {
      if (values[row]! >= lower[row]! && values[row]! <= upper[row]!) inside++;
    }
    expect(inside / (values.length - from)).toBeGreaterThan(0.95);
  });

  it('has an almost constant width on noise', () => {
    const { lower, upper } = detect(10, 60, white(12));
    const widths = upper.map((high, row) => high - lower[row]!);
    expect(meanStep(widths, 3, () => true)).toBeLessThan(0.02 * widths.at(-1)!);
  });

  it('does not extend far beyond the lowest and highest value of the series', () => {
    const next = uniform(16);
    // Mostly near 0, with bursts of any length: a symmetric range would extend far below.
    let burst = 1;
    const { lower, upper, values } = detect(10, 300, () => {
      if (next() < 0.05) burst = next() < 0.5 ? 1 : 20;
      return -Math.log(1 - next()) * burst;
    });
    const highest = Math.max(...values);
    for (let row = 5 * 288; row < lower.length; row++) {
      expect(lower[row]).toBeGreaterThan(-0.1);
      expect(upper[row]).toBeLessThan(1.05 * highest);
    }
  });

  it.each([1, -1])('follows a series that drifts beyond all earlier values (%d)', (sign) => {
    const noise = normal(17);
    const { lower, upper, values } = detect(10, 300, (row) => sign * 0.05 * row + noise());
    let inside = 0;
    const from = 3 * 288;
    for (let row = from; row < values.length; row++) {
      if (values[row]! >= lower[row]! && values[row]! <= upper[row]!) inside++;
    }
    expect(inside / (values.length - from)).toBeGreaterThan(0.97);
  });

  it('is that of the weekend on weekends, and covers both levels at the transition', () => {
    const weeks = detect(35, 300, workingDays(13));
    // The first day is a Wednesday, so days 3, 10, ... are Saturdays.
    const saturday = 31 * 288;
    for (let row = saturday + 12; row < saturday + 2 * 288 - 12; row++) expect(weeks.upper[row]).toBeLessThan(50);
    for (let row = saturday - 288; row < saturday - 12; row++) expect(weeks.lower[row]).toBeGreaterThan(40);
    expect(width(weeks, saturday)).toBeGreaterThan(60);
  });

  describe('around an anomaly', () => {
    const from = 8 * 1440;
    const until = from + 480;
    const calm = detect(10, 60, dailySine(14));
    const anomalous = detect(
      10,
      60,
      during(dailySine(14), 8, 480, (value) => value + 25),
    );

    it('widens slowly towards the new values, and the expected value does not change', () => {
      expect(anomalous.anomalous[from + 470]).toBe(1);
      expect(anomalous.upper[from + 30]! - calm.upper[from + 30]!).toBeLessThan(2);
      expect(anomalous.upper[until - 1]).toBeGreaterThan(anomalous.values[until - 1]!);
      expect(Math.abs(anomalous.yhat[until - 1]! - calm.yhat[until - 1]!)).toBeLessThan(1.5);
      for (let row = from + 1; row < until; row++) {
        expect(anomalous.lower[row]).toBeLessThan(calm.yhat[row]!);
        expect(anomalous.upper[row]! - anomalous.upper[row - 1]!).toBeLessThan(1);
      }
    });

    it('is as narrow as without an anomaly soon after its end', () => {
      expect(meanWidth(anomalous, until + 10, 60)).toBeLessThan(1.25 * meanWidth(calm, until + 10, 60));
      expect(meanWidth(anomalous, until + 1440, 240)).toBeLessThan(1.1 * meanWidth(calm, until + 1440, 240));
    });

    it('covers the new level after adaptation', () => {
      const shifted = detect(
        10,
        60,
        during(dailySine(15), 8, 2880, (value) => value + 25),
      );
      const later = 9.5 * 1440;
      expect(shifted.anomalous[later]).toBe(0);
      expect(meanWidth(shifted, later, 240)).toBeLessThan(1.5 * meanWidth(calm, later, 240));
      expect(shifted.lower[later]).toBeGreaterThan(5);
    });
  });
});
