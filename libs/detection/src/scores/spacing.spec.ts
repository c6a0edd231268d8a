import fc from 'fast-check';
import { normal, uniform } from '../testing/generators.js';
import {
  copyScoreRecord,
  createScoreRecord,
  type ScoreRecord,
  VIEW_LEVEL,
  VIEW_RESIDUAL,
  VIEW_VALUE,
  VIEW_WIDTH,
  VIEWS_AT,
} from './score-record.js';
import { largestObserved, smallestObserved, Spacing } from './spacing.js';

const EVIDENCE = 100;
/** Rows after which the map of seen values exists, unless they are all equal. */
const LAID_OUT = 20;

const weights = { evidence: 0, gate: 0 };
const spacing = new Spacing(weights);

/** Novelty of a value, which is then learnt. */
function spacingNovelty(record: ScoreRecord, view: number, value: number, evidence: number, gate: number): number {
  spacing.values[view] = value;
  weights.evidence = evidence;
  weights.gate = gate;
  spacing.take(record, view);
  return spacing.novelties[view]!;
}

/** Novelty of each value, in order. */
function noveltiesOf(
  values: Iterable<number>,
  { record = createScoreRecord(), view = VIEW_VALUE, gate = 0 } = {},
): number[] {
  return Array.from(values, (value) => spacingNovelty(record, view, value, EVIDENCE, gate));
}

function taught(values: Iterable<number>): ScoreRecord {
  const record = createScoreRecord();
  noveltiesOf(values, { record });
  return record;
}

/** Novelty of one more value, on a copy. */
function ask(record: ScoreRecord, value: number, gate = 0): number {
  const copy = createScoreRecord();
  copyScoreRecord(copy, record);
  return spacingNovelty(copy, VIEW_VALUE, value, EVIDENCE, gate);
}

const cellWidth = ({ p }: ScoreRecord): number => p[VIEWS_AT + VIEW_VALUE * VIEW_WIDTH + 1]!;
const noise = (count: number, seed = 1): number[] => Array.from({ length: count }, normal(seed));

describe('spacing', () => {
  it('is the distance to the nearest known value relative to the range, to about a cell inside the range', () => {
    // Sometimes the scale of the series changes by a factor, so that the map extends to both sides.
    const row = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(fc.array(row, { minLength: 30, maxLength: 250 }), (rows) => {
        const record = createScoreRecord();
        const seen: number[] = [];
        let scale = 1;
        for (const [place, lot] of rows) {
          if (lot === 0) scale *= 16;
          if (lot === 1) scale /= 8;
          // Seen values are stored as floats.
          const value = Math.fround(scale * (place / 1e6));
          const range = largestObserved(record, VIEW_VALUE) - smallestObserved(record, VIEW_VALUE);
          const isOutside = value > largestObserved(record, VIEW_VALUE) || value < smallestObserved(record, VIEW_VALUE);
          const width = cellWidth(record);
          const distance = (Math.expm1(spacingNovelty(record, VIEW_VALUE, value, EVIDENCE, 0)) / EVIDENCE) * range;
          if (seen.length >= LAID_OUT && range > 0) {
            const nearest = seen.reduce((least, one) => Math.min(least, Math.abs(value - one)), Infinity);
            const tolerance = isOutside ? 1e-9 * (range + nearest) : 1.5 * width;
            expect(Math.abs(distance - nearest)).toBeLessThanOrEqual(tolerance);
          }
          seen.push(value);
        }
      }),
      { seed: 20_251_101, numRuns: 200 },
    );
  });

  it('keeps cells below 1 % of the range, however far the range has grown', () => {
    for (const growth of [4, 1000, 1e9, -1e9]) {
      const record = taught([...noise(100), ...noise(1000, 2).map((x) => growth * x)]);
      const range = largestObserved(record, VIEW_VALUE) - smallestObserved(record, VIEW_VALUE);
      expect(cellWidth(record)).toBeLessThan(range / 100);
    }
  });

  it('is 0 for a known value, however rare, also after the map has grown', () => {
    const values = [...noise(300), 40, -3000, 7e5, ...noise(300, 2)];
    const record = taught(values);
    expect(values.map((value) => ask(record, value))).toEqual(values.map(() => 0));
  });

  it('increases with the distance, in gaps and outside the range', () => {
    const record = taught([...noise(3000), 100]);
    const inGap = [10, 20, 30, 40, 50].map((value) => ask(record, value));
    expect([...inGap].sort((a, b) => a - b)).toEqual(inGap);
    expect(ask(record, 300)).toBeGreaterThan(ask(record, 120));
    expect(ask(record, -300)).toBeGreaterThan(ask(record, -30));
  });

  it('is 0 for the first values', () => {
    const wild = Array.from({ length: LAID_OUT - 1 }, (_, i) => (-7) ** i);
    expect(noveltiesOf(wild)).toEqual(wild.map(() => 0));
  });

  it('is maximal for the first different value after a constant, and 0 for the constant', () => {
    for (const constant of [0, 7, -1e9, 1e-12]) {
      const record = createScoreRecord();
      expect(noveltiesOf(Array<number>(500).fill(constant), { record }).every((one) => one === 0)).toBe(true);
      const other = constant === 0 ? 1 : constant * 1.5;
      expect(ask(record, other)).toBeCloseTo(Math.log1p(EVIDENCE), 12);
      expect(ask(record, constant)).toBe(0);
    }
  });

  it('is positive soon after a constant begins to vary early', () => {
    const [first, second, third] = noveltiesOf([...Array<number>(50).fill(3), 4, 4.5, 3.5]).slice(-3);
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
    expect(third).toBeGreaterThan(0);
  });

  it('forgets values that have not occurred for long, and keeps recent ones', () => {
    const between = [...noise(5000), 100];
    const record = taught([...between, 50]);
    noveltiesOf(noise(10_000, 2), { record });
    expect(ask(record, 50)).toBe(0);
    noveltiesOf(noise(30_000, 3), { record });
    expect(ask(record, 50)).toBeGreaterThan(2);
    expect(ask(record, 0.1)).toBe(0);
  });

  it('ignores distances within the gate, in usual steps', () => {
    const alternating = Array.from({ length: 400 }, (_, i) => i % 2);
    const record = taught(alternating);
    expect(ask(record, 1.9, 0)).toBeGreaterThan(0);
    expect(ask(record, 1.9, 1)).toBe(0);
    expect(ask(record, 2.2, 1)).toBeGreaterThan(0);
  });

  it('increases with the evidence', () => {
    const novelty = (evidence: number): number => spacingNovelty(taught(noise(500)), VIEW_VALUE, 20, evidence, 0);
    expect(novelty(1000)).toBeGreaterThan(novelty(100));
    expect(novelty(0)).toBe(0);
  });

  it.each([2 ** 40, 2 ** -30, -1, -(2 ** 10)])('is the same, to a cell, for a series times %d', (factor) => {
    const next = uniform(4);
    const values = Array.from({ length: 2000 }, () => next() * (next() < 0.01 ? 50 : 1));
    const plain = noveltiesOf(values);
    const other = noveltiesOf(values.map((value) => factor * value));
    const inRanges = (novelty: number): number => Math.expm1(novelty) / EVIDENCE;
    const worst = plain.reduce((most, one, i) => Math.max(most, Math.abs(inRanges(one) - inRanges(other[i]!))), 0);
    expect(plain.some((one) => one > 3)).toBe(true);
    expect(worst).toBeLessThan(factor > 0 ? 1e-9 : 0.01);
  });

  it('keeps its views independent', () => {
    const record = createScoreRecord();
    const views = [VIEW_VALUE, VIEW_LEVEL, VIEW_RESIDUAL].map((view) => ({ view, values: noise(800, 5 + view) }));
    const alone = views.map(({ view, values }) => noveltiesOf(values, { view }));
    const together = views.map(() => [] as number[]);
    for (let row = 0; row < 800; row++) {
      views.forEach(({ view, values }, i) => {
        together[i]!.push(...noveltiesOf([values[row]!], { record, view }));
      });
    }
    expect(together).toEqual(alone);
  });

  it('accepts any finite value', () => {
    const any = fc.oneof(
      fc.double({ min: -1e36, max: 1e36, noNaN: true }),
      fc.constantFrom(0, 1, 1e36, -1e36, Number.MIN_VALUE, -1e-310, 1e-30),
    );
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 300 }), (values) => {
        for (const novelty of noveltiesOf([...values, ...values])) expect(novelty).toBeGreaterThanOrEqual(0);
      }),
      { seed: 20_251_102, numRuns: 150 },
    );
  });
});
