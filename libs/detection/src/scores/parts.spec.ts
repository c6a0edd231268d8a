import { autoregressive, normal, uniform } from '../testing/generators.js';
import { F } from '../series/record/layout.js';
import { createRecord } from '../series/reset-record.js';
import { SeasonalPoint } from '../series/season/season.js';
import {
  NEW_LEVEL,
  NEW_RESIDUAL,
  NEW_VALUE,
  PART_NAMES,
  Parts,
  RARE_RECENT,
  RARE_RESTLESS,
  RARE_STEP,
} from './parts.js';
import { createScoreRecord, LEVEL_ROWS, RESIDUAL_ROWS, RESTLESS_ROWS, S } from './score-record.js';

/** A series of which only the parts are computed. */
class Watched {
  readonly record = createRecord();
  readonly memory = createScoreRecord();
  readonly parts = new Parts();

  /** Parts of the next value. `expected`: the usual value at this time of day. */
  take(value: number, expected = NaN): Float64Array {
    const { f } = this.record;
    if (f[F.count] === 0) f[F.origin] = value;
    value -= f[F.origin]!;
    expected -= f[F.origin]!;
    const at = new SeasonalPoint();
    at.daily = at.dailyAt = at.dailyLow = at.dailyHigh = expected;
    const usual = Number.isNaN(expected) ? 0 : expected;
    this.parts.take(this.memory, this.record, at, value, value - usual);
    f[F.previous] = value;
    f[F.count] = f[F.count]! + 1;
    return this.parts.values;
  }

  takeAll(count: number, next: (index: number) => number, expected?: (index: number) => number): this {
    for (let i = 0; i < count; i++) this.take(next(i), expected?.(i));
    return this;
  }

  /** The largest value of a part over the next values. */
  largest(part: number, count: number, next: (index: number) => number, expected?: (index: number) => number): number {
    let largest = 0;
    for (let i = 0; i < count; i++) largest = Math.max(largest, this.take(next(i), expected?.(i))[part]!);
    return largest;
  }
}

describe('parts', () => {
  it('are 0 for a constant', () => {
    const series = new Watched();
    for (let i = 0; i < 600; i++) expect([...series.take(7)].every((part) => part === 0)).toBe(true);
  });

  it('are below 1 on average for noise', () => {
    const series = new Watched().takeAll(5000, normal(1));
    const next = normal(2);
    const sums = PART_NAMES.map(() => 0);
    for (let row = 0; row < 2000; row++) series.take(next()).forEach((part, i) => (sums[i]! += part / 2000));
    for (const mean of sums) expect(mean).toBeLessThan(1);
  });

  it('respond to a new value and a step', () => {
    const series = new Watched().takeAll(3000, normal(3));
    const parts = series.take(12);
    expect(parts[NEW_VALUE]).toBeGreaterThan(3);
    expect(parts[RARE_STEP]).toBeGreaterThan(3);
    expect(parts[RARE_RECENT]).toBeGreaterThan(3);
    series.take(0);
    expect(series.take(12)[NEW_VALUE]).toBe(0);
  });

  it('respond to a rare step to a common value', () => {
    const noise = normal(4);
    const slow = (i: number): number => 20 * Math.sin(i / 300) + noise();
    const series = new Watched().takeAll(10_000, slow);
    const parts = series.take(20 * Math.sin(10_000 / 300) > 0 ? -15 : 15);
    expect(parts[NEW_VALUE]).toBeLessThan(1);
    expect(parts[RARE_STEP]).toBeGreaterThan(3.5);
  });

  it('respond to a new level of common values', () => {
    const next = uniform(5);
    const wide = (): number => 10 * next();
    const series = new Watched().takeAll(4000, wide);
    const high = (): number => 9 + next();
    const first = series.largest(NEW_LEVEL, LEVEL_ROWS, high);
    expect(first).toBeGreaterThan(2);
    series.takeAll(100, high).takeAll(1000, wide);
    expect(series.largest(NEW_LEVEL, LEVEL_ROWS, high)).toBeLessThan(first - 1);
  });

  it('respond to values that are unusual only at their time', () => {
    const noise = normal(6);
    const usual = (i: number): number => 20 * Math.sin((2 * Math.PI * i) / 1000);
    const series = new Watched().takeAll(8000, (i) => usual(i) + noise(), usual);
    // The series continues 100 rows late, in a period of 1,000.
    const late = (i: number): number => usual(i - 100) + noise();
    const largest = series.largest(NEW_RESIDUAL, 60, late, usual);
    expect(largest).toBeGreaterThan(2);
  });

  it('have no residual until the expectation has been known for RESIDUAL_ROWS rows', () => {
    const series = new Watched();
    const five = (): number => 5;
    const zero = (): number => 0;
    const next = normal(7);
    const far = (): number => 50;
    expect(series.takeAll(500, next).takeAll(RESIDUAL_ROWS, five, zero).parts.values[NEW_RESIDUAL]).toBe(0);
    series.takeAll(200, five, zero);
    expect(series.takeAll(5, far, zero).parts.values[NEW_RESIDUAL]).toBeGreaterThan(1);
  });

  it('respond to a series that varies more or less than before', () => {
    for (const factor of [6, 0.05]) {
      const noise = normal(8);
      const series = new Watched().takeAll(8000, () => noise());
      const before = series.largest(RARE_RESTLESS, 300, () => noise());
      expect(series.largest(RARE_RESTLESS, 2 * RESTLESS_ROWS, () => factor * noise())).toBeGreaterThan(before + 1);
    }
  });

  it('recover the mean of the latest rows soon after an extreme value', () => {
    const series = new Watched().takeAll(1000, normal(9));
    series.take(1e36);
    const last = Array.from({ length: 3 * RESTLESS_ROWS }, normal(10));
    series.takeAll(last.length, (i) => last[i]!);
    const mean = last.slice(-LEVEL_ROWS).reduce((sum, value) => sum + value, 0) / LEVEL_ROWS;
    expect(series.record.f[F.origin]! + series.memory.f[S.levelSum]! / LEVEL_ROWS).toBeCloseTo(mean, 4);
  });

  it.each([2 ** 30, 2 ** -20])('are the same for a series times %d', (factor) => {
    const walk = autoregressive(11, 0.99);
    const values = Array.from({ length: 3000 }, (_, i) => walk(i, 0));
    const plain = new Watched();
    const other = new Watched();
    let worst = 0;
    for (const value of values) {
      const expected = plain.take(value);
      other.take(factor * value).forEach((part, i) => (worst = Math.max(worst, Math.abs(part - expected[i]!))));
    }
    expect(worst).toBeLessThan(1e-9);
  });
});
