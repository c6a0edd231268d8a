import { normal, uniform } from '../testing/generators.js';
import { OPEN_VALUES } from './anomaly-state.js';
import { ExpectedRange, learnRange } from './expected-range.js';
import { F } from './layout.js';
import { Measurement } from './measurement.js';
import { createRecord } from './reset-record.js';
import { SeasonalPoint } from './season.js';

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

/** Learns `rows` distances, in usual deviations; returns the share of them that lay beyond each bound from `fromRow` on. */
function outside(f: Float64Array, rows: number, next: () => number, fromRow = 0): { low: number; high: number } {
  const measured = new Measurement();
  let low = 0;
  let high = 0;
  for (let row = 0; row < rows; row++) {
    const z = next();
    measured.zChange = measured.zDeviation = z;
    if (row >= fromRow && z < -f[F.changeLow]!) low++;
    if (row >= fromRow && z > f[F.changeHigh]!) high++;
    learnRange(f, measured);
    f[F.count] = f[F.count]! + 1;
  }
  return { low: low / (rows - fromRow), high: high / (rows - fromRow) };
}

describe('expected range', () => {
  it.each(LAWS)('has the same few beyond each bound in the long run: %s', (_, draws) => {
    // The wanted share is what a series settles at, however its values are distributed.
    const wanted = outside(createRecord().f, 100_000, uniform(1), 50_000).high;
    expect(wanted).toBeGreaterThan(0.0025);
    expect(wanted).toBeLessThan(0.015);
    for (const seed of [2, 3]) {
      const { low, high } = outside(createRecord().f, 100_000, draws(seed), 20_000);
      expect(Math.abs(low - wanted)).toBeLessThan(0.0005);
      expect(Math.abs(high - wanted)).toBeLessThan(0.0005);
    }
  });

  it('holds nearly all of a normal series from the beginning', () => {
    const { low, high } = outside(createRecord().f, 1000, normal(4));
    expect(low + high).toBeLessThan(0.04);
  });

  it.each([10, 0.1])('finds its width again within a day when distances become %d times as large', (factor) => {
    const { f } = createRecord();
    outside(f, 20_000, normal(5));
    const next = normal(6);
    outside(f, 1440, () => factor * next());
    const { low, high } = outside(f, 5000, () => factor * next());
    expect(low + high).toBeLessThan(0.03);
    expect(f[F.changeHigh]! / factor).toBeLessThan(5);
  });

  it('comes back soon when a series that stood still for months begins to move', () => {
    const { f } = createRecord();
    outside(f, 150_000, () => 0);
    outside(f, 720, normal(7));
    const { low, high } = outside(f, 5000, normal(7));
    expect(low + high).toBeLessThan(0.05);
  });

  describe('as told', () => {
    const { f } = createRecord();
    const at = new SeasonalPoint();
    at.expected = 10;
    at.low = 8;
    at.high = 13;
    const measured = new Measurement();
    measured.forecast = 11;
    measured.spread = 2;
    measured.changeSpread = 0.5;
    [f[F.changeLow], f[F.changeHigh], f[F.deviationLow], f[F.deviationHigh]] = [3, 4, 5, 6];
    const range = new ExpectedRange();

    it('lies around the forecast, as far from it as the ten minutes before and after and chance allow', () => {
      range.read(f, at, measured);
      expect(range).toMatchObject({ expected: 11, lower: 11 - 2 - 3 * 0.5, upper: 11 + 3 + 4 * 0.5 });
    });

    it('lies around the expectation of its time while an anomaly is open', () => {
      f[F.open] = OPEN_VALUES;
      range.read(f, at, measured);
      expect(range).toMatchObject({ expected: 10, lower: 8 - 5 * 2, upper: 13 + 6 * 2 });
    });
  });
});
