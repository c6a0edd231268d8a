import fc from 'fast-check';
import { normal, uniform } from '../../testing/generators.js';
import { EvenScale, learnShape } from './distribution-shape.js';
import { P } from '../record/layout.js';
import { createRecord } from '../reset-record.js';
import { type SeriesRecord } from '../record/series-record.js';

const ROWS = 20_000;

/** The record of a series that has learnt these values. */
function taught(count: number, next: () => number): SeriesRecord {
  const record = createRecord();
  for (let i = 0; i < count; i++) learnShape(record.p, next());
  return record;
}

function evenScale(record: SeriesRecord): (value: number) => number {
  const scale = new EvenScale();
  scale.read(record);
  return (value) => scale.of(value);
}

/** The 2nd, 50th and 98th percentile of the values. */
function quantiles({ p }: SeriesRecord): number[] {
  const middle = p[P.quantileMiddle]!;
  return [middle - p[P.boundBelow]!, middle, middle + p[P.boundAbove]!];
}

function logNormal(seed: number, spread = 1): () => number {
  const noise = normal(seed);
  return () => Math.exp(spread * noise());
}

function exponential(seed: number): () => number {
  const next = uniform(seed);
  return () => -Math.log(1 - next());
}

function student3(seed: number): () => number {
  const noise = normal(seed);
  return () => noise() / Math.sqrt((noise() ** 2 + noise() ** 2 + noise() ** 2) / 3);
}

describe('quantiles', () => {
  // 2 %, 50 % and 98 %: scipy.stats.norm.ppf, .uniform.ppf, .expon.ppf, .lognorm.ppf(s=1)
  it.each<[string, (seed: number) => () => number, number[]]>([
    ['normal', normal, [-2.0537, 0, 2.0537]],
    ['uniform', uniform, [0.02, 0.5, 0.98]],
    ['exponential', exponential, [0.0202, 0.6931, 3.912]],
    ['log-normal', logNormal, [0.1283, 1, 7.7966]],
  ])('approach those of a %s distribution', (_, make, expected) => {
    const width = expected[2]! - expected[0]!;
    const seeds = [1, 2, 3, 4, 5, 6];
    const learnt = seeds.map((seed) => quantiles(taught(ROWS, make(seed))));
    expected.forEach((quantile, i) => {
      const mean = learnt.reduce((sum, one) => sum + one[i]!, 0) / seeds.length;
      expect(Math.abs(mean - quantile)).toBeLessThan(0.12 * width);
      for (const one of learnt) expect(Math.abs(one[i]! - quantile)).toBeLessThan(0.4 * width);
    });
  });

  it('stay in order for any values', () => {
    const any = fc.oneof(
      fc.double({ min: -1e36, max: 1e36, noNaN: true }),
      fc.integer({ min: -2, max: 2 }),
      fc.constantFrom(1e36, -1e36, Number.MIN_VALUE),
    );
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 200 }), (values) => {
        let at = 0;
        const [low, middle, high] = quantiles(taught(3 * values.length, () => values[at++ % values.length]!));
        expect(low! <= middle! && middle! <= high!).toBe(true);
      }),
      { seed: 20_251_201, numRuns: 150 },
    );
  });

  it('follow a series whose spread grows', () => {
    const next = normal(4);
    let row = 0;
    const [low, middle, high] = quantiles(taught(40_000, () => (row++ < 10_000 ? next() : 10 * next())));
    for (const ratio of [low! / -20.5, high! / 20.5, (high! - middle!) / 20.5]) {
      expect(ratio).toBeGreaterThan(0.8);
      expect(ratio).toBeLessThan(1.25);
    }
  });

  it('change little after one extreme value', () => {
    const next = normal(5);
    let row = 0;
    const calm = quantiles(taught(5000, normal(5)));
    const shaken = quantiles(taught(5000, () => (row++ === 3000 ? 1e30 : next())));
    shaken.forEach((one, i) => expect(Math.abs(one - calm[i]!)).toBeLessThan(0.5));
  });
});

describe('EvenScale', () => {
  it.each<[string, () => number]>([
    ['normal', normal(6)],
    ['uniform', uniform(6)],
    ['heavy-tailed', student3(6)],
  ])('changes a %s series little', (_, next) => {
    const record = taught(ROWS, next);
    const even = evenScale(record);
    const [low, middle, high] = quantiles(record);
    for (const value of [low!, high!]) {
      const ratio = even(value) / (value - middle!);
      expect(ratio).toBeGreaterThan(0.6);
      expect(ratio).toBeLessThan(1.6);
    }
    expect(even(middle!)).toBeCloseTo(0, 12);
  });

  it.each([0.3, 0.5, 1])('makes the sides of a log-normal series (spread %d) almost symmetric', (spread) => {
    // Standard normal quantiles of 0.75, 0.9 and 0.98.
    const places = [0.6745, 1.2816, 2.0537].map((z) => [Math.exp(-spread * z), Math.exp(spread * z)] as const);
    for (const seed of [7, 8, 9]) {
      const even = evenScale(taught(ROWS, logNormal(seed, spread)));
      for (const [below, above] of places) {
        const ratio = (even(above) - even(1)) / (even(1) - even(below));
        // Sides up to about twice as long as the other one count as symmetric.
        expect(ratio).toBeGreaterThan(0.7);
        expect(ratio).toBeLessThan(2.2);
        expect(ratio).toBeLessThan((1.05 * (above - 1)) / (1 - below));
      }
    }
  });

  it.each([1000, 1e-4, -1, -37])('scales with values times %d', (factor) => {
    for (const make of [normal, logNormal, uniform]) {
      const plain = evenScale(taught(3000, make(10)));
      const next = make(10);
      const other = evenScale(taught(3000, () => factor * next()));
      const probe = make(11);
      for (let i = 0; i < 200; i++) {
        const value = 3 * probe();
        const difference = other(factor * value) / factor - plain(value);
        expect(Math.abs(difference)).toBeLessThanOrEqual(1e-4 * (1 + Math.abs(value)));
      }
    }
  });

  it('increases with the value and is continuous', () => {
    const sorted = fc
      .tuple(...[0, 1, 2].map(() => fc.integer({ min: -1000, max: 1000 })))
      .map((three) => three.sort((a, b) => a - b));
    const values = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(sorted, values, (three, some) => {
        const record = createRecord();
        const { p } = record;
        // As after long learning.
        p[P.shapeRows] = 1e6;
        const [low, middle, high] = three as [number, number, number];
        [p[P.boundBelow], p[P.quantileMiddle], p[P.boundAbove]] = [middle - low, middle, high - middle];
        const even = evenScale(record);
        const rising = some.sort((a, b) => a - b).map((value) => even(value / 100));
        expect(rising.slice(1).every((one, i) => one >= rising[i]!)).toBe(true);
        const near = some.map((value) => even(value / 100 + 1e-6));
        expect(near.every((one, i) => one - rising[i]! < 0.01)).toBe(true);
      }),
      { seed: 20_251_202, numRuns: 300 },
    );
  });

  it('returns finite numbers for any finite series, however small, large or discrete', () => {
    const size = fc.constantFrom(0, 5e-324, 1e-320, 1e-310, 1e-200, 1e-30, 1, 3, 1e10, 1e36);
    const signed = fc.tuple(size, fc.constantFrom(-1, 1)).map(([value, sign]) => sign * value);
    fc.assert(
      fc.property(
        fc.array(signed, { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(7), { minLength: 1 }),
        (some, order) => {
          let at = 0;
          const even = evenScale(taught(150, () => some[order[at++ % order.length]! % some.length]!));
          for (const value of [...some, 0, 1e36, -1e36]) expect(Number.isFinite(even(value))).toBe(true);
        },
      ),
      { seed: 20_251_203, numRuns: 300 },
    );
  });
});
