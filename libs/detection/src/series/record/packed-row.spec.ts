import fc from 'fast-check';
import { uniform } from '../../testing/generators.js';
import { B, DAY_AT, DAY_BUCKETS, DAY_VISITS_AT, F, P, SEARCH_AT, SEARCH_CELLS } from './layout.js';
import { beyondStep, StepRow, DistanceRow, halfAt, HalfRow, nearerOf } from './packed-row.js';
import { createRecord } from '../reset-record.js';
import { type SeriesRecord } from './series-record.js';

const day = new HalfRow({ at: DAY_AT, cells: DAY_BUCKETS, scale: F.dayScale, unit: P.dayUnit });
const visits = new DistanceRow({ at: DAY_VISITS_AT, cells: DAY_BUCKETS, unit: B.dayVisitUnit });
const ring = new StepRow(SEARCH_AT, SEARCH_CELLS, F.searchScale, P.searchUnit);

/** Half a step of half precision, as a share of a distance. */
const HALF_STEP = 2 ** -11;
const finite = { noNaN: true, noDefaultInfinity: true };

function write(row: HalfRow, values: readonly number[], level = 0, record = createRecord()): SeriesRecord {
  values.forEach((value, i) => row.write(record, i % DAY_BUCKETS, value, level, 0));
  return record;
}

function expectNear(value: number, wanted: number, error: number): void {
  expect(Math.abs(value - wanted)).toBeLessThanOrEqual(error);
}

describe('HalfRow', () => {
  it('stores each value to about 0.1 % of its distance from the level', () => {
    const value = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: DAY_BUCKETS }),
        fc.integer({ min: -200_000, max: 200_000 }),
        fc.integer({ min: -20, max: 30 }),
        (values, level, octaves) => {
          const scaled = values.map((one) => one * 2 ** octaves);
          const record = write(day, scaled, level * 2 ** octaves);
          // A value below a millionth of the largest may become 0.
          const least = Math.max(...scaled.map((one) => Math.abs(one - level * 2 ** octaves))) * 2 ** -20;
          scaled.forEach((one, i) => {
            const error = 2 * HALF_STEP * Math.abs(one - level * 2 ** octaves) + least;
            const kept = day.read(record, i);
            // Of the first few values, only the order of magnitude may be known if they are many thousand times the
            // first one.
            if (Number.isFinite(kept)) expectNear(kept, one, error);
            else expect(scaled.slice(0, i).filter((before) => before !== level * 2 ** octaves).length).toBeLessThan(8);
          });
        },
      ),
      { seed: 20_261_123, numRuns: 300 },
    );
  });

  it('keeps its precision with one extreme value at any place', () => {
    const next = uniform(1);
    const values = Array.from({ length: DAY_BUCKETS }, () => 100 + 10 * next());
    for (const place of [0, 1, 2, 70, 143]) {
      for (const absurd of [1e36, -1e36, 1e9]) {
        const record = write(
          day,
          values.map((value, i) => (i === place ? absurd : value)),
          100,
        );
        values.forEach((value, i) => {
          if (i !== place) expectNear(day.read(record, i), value, 10 * HALF_STEP);
        });
        expect(day.read(record, place) * Math.sign(absurd)).toBeGreaterThan(1e6);
      }
    }
  });

  it('adapts to values that become much larger or smaller', () => {
    const record = createRecord();
    for (const scale of [1, 1e7, 1e-3]) {
      const values = Array.from({ length: DAY_BUCKETS }, (_, i) => scale * (1 + (i % 12)));
      for (let round = 0; round < 2; round++) write(day, values, 0, record);
      values.forEach((value, i) => expectNear(day.read(record, i), value, 12 * scale * HALF_STEP));
    }
  });

  it('stores an extreme value precisely on request', () => {
    const record = write(day, [1, 2, 3, 4, 5, 6]);
    day.write(record, 6, -1e8, 0, 0, true);
    expectNear(day.read(record, 6), -1e8, 1e8 * HALF_STEP);
  });

  it('regains its precision when values have moved away from its level', () => {
    const values = Array.from({ length: DAY_BUCKETS }, (_, i) => 1e6 + (i % 10));
    const record = createRecord();
    for (let round = 0; round < 4; round++) {
      write(day, values, 0, record);
      day.refit(record);
    }
    write(day, values, 0, record);
    values.forEach((value, i) => expectNear(day.read(record, i), value, 10 * HALF_STEP));
  });

  it('reads the same values through halfAt, and can be shifted and cleared', () => {
    const record = write(day, [3, -4, 5]);
    day.shift(record, 10);
    expect([0, 1, 2, 3].map((i) => Math.round(halfAt(record, DAY_AT + i, F.dayScale, P.dayUnit)))).toEqual([
      13,
      6,
      15,
      NaN,
    ]);
    expect([0, 1, 2, 3].map((i) => day.read(record, i))).toEqual(
      [0, 1, 2, 3].map((i) => halfAt(record, DAY_AT + i, F.dayScale, P.dayUnit)),
    );
    day.forget(record);
    expect(day.read(record, 0)).toBeNaN();
  });
});

describe('DistanceRow', () => {
  const DIGITS = 0.045;
  const within = (size: number): fc.Arbitrary<number> =>
    fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.constantFrom(1, 0.1, 0.01)).map(([a, b]) => size * a * b);

  it('stores distances to 4.5 %, very small ones as about 0, and extreme ones as infinite', () => {
    fc.assert(
      fc.property(fc.constantFrom(1e-20, 0.003, 1, 7e30), within(1000), (usual, times) => {
        const record = createRecord();
        visits.write(record, 3, times * usual, usual);
        expect(visits.read(record, 2)).toBeNaN();
        expectNear(visits.read(record, 3), times * usual, usual * Math.max(0.03, DIGITS * Math.abs(times)));
        visits.write(record, 3, -1e5 * usual, usual);
        expect(visits.read(record, 3)).toBe(-Infinity);
        visits.write(record, 3, NaN, usual);
        expect(visits.read(record, 3)).toBeNaN();
      }),
      { seed: 20_261_125, numRuns: 300 },
    );
  });

  it('keeps distances when the usual deviation changes or the expectation moves', () => {
    fc.assert(
      fc.property(within(20), fc.constantFrom(1 / 50, 1, 40), within(5), (distance, usual, by) => {
        const record = createRecord();
        visits.write(record, 0, distance, 1);
        visits.refit(record, usual);
        const kept = visits.read(record, 0);
        expectNear(kept, distance, Math.max(0.03 * Math.max(1, usual), 2 * DIGITS * Math.abs(distance)));
        visits.expectationMoved(record, by);
        const moved = visits.read(record, 0);
        if (Number.isFinite(moved))
          expectNear(moved, kept - by, Math.max(0.03 * Math.max(1, usual), DIGITS * (Math.abs(kept) + Math.abs(by))));
        visits.expectationMet(record);
        expect([visits.read(record, 0), visits.read(record, 1)]).toEqual([0, NaN]);
      }),
      { seed: 20_261_126, numRuns: 300 },
    );
  });

  it('derives its unit from the first distance while no deviation is usual yet', () => {
    const record = createRecord();
    visits.write(record, 0, 0, 0);
    visits.write(record, 1, -5e-7, 0);
    expect(visits.read(record, 0)).toBe(0);
    expectNear(visits.read(record, 1), -5e-7, DIGITS * 5e-7);
  });

  it('treats distances within a step as equal in nearerOf and beyondStep', () => {
    expect([nearerOf(3, 3.1), nearerOf(3.1, 3), nearerOf(-3, -1), nearerOf(3, -1), nearerOf(3, Infinity)]).toEqual([
      3, 3.1, -1, 0, 3,
    ]);
    expect([beyondStep(3, 3.1), beyondStep(3, 2), beyondStep(-Infinity, 2), beyondStep(0, 2)]).toEqual([
      0,
      1,
      -Infinity,
      -2,
    ]);
  });
});

describe('StepRow', () => {
  const last = (record: SeriesRecord, count: number): number[] =>
    Array.from({ length: count }, (_, i) => ring.read(record, i));

  it('stores values to 4 % of their range', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ ...finite, min: -1, max: 1 }), { minLength: 30, maxLength: 300 }), (values) => {
        const record = createRecord();
        values.forEach((value, i) => ring.write(record, i, value));
        const kept = last(record, values.length);
        const odd = kept.filter((value) => !Number.isFinite(value)).length;
        expect(odd).toBeLessThanOrEqual(6);
        values.forEach((value, i) => {
          if (Number.isFinite(kept[i]!)) expectNear(kept[i]!, value, 0.08);
        });
      }),
      { seed: 20_261_124, numRuns: 200 },
    );
  });

  it('stores up to three far values a side as infinite, and extends its range for more', () => {
    const record = createRecord();
    for (let i = 0; i < 100; i++) ring.write(record, i, i % 10);
    for (let i = 100; i < 103; i++) ring.write(record, i, 1e9);
    expect(last(record, 104).slice(100)).toEqual([Infinity, Infinity, Infinity, NaN]);
    ring.write(record, 103, 1e3);
    expectNear(ring.read(record, 103), 1e3, 10);
    expectNear(ring.read(record, 9), 9, 10);
  });

  it('distinguishes small values again after large ones have been overwritten', () => {
    const record = createRecord();
    ring.write(record, 0, 1e6);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < SEARCH_CELLS; i++) ring.write(record, i, i % 10);
      ring.refit(record);
    }
    for (let i = 0; i < SEARCH_CELLS; i++) expectNear(ring.read(record, i), i % 10, 0.05);
  });
});
