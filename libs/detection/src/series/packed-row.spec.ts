import fc from 'fast-check';
import { uniform } from '../testing/generators.js';
import { DAY_AT, DAY_BUCKETS, DAY_LAST_AT, F, P, SEARCH_AT, SEARCH_CELLS } from './layout.js';
import { ByteRow, halfAt, HalfRow } from './packed-row.js';
import { createRecord } from './reset-record.js';
import { type SeriesRecord } from './series-record.js';

const day = new HalfRow({ at: DAY_AT, cells: DAY_BUCKETS, scale: F.dayScale, unit: P.dayUnit });
const visits = new HalfRow({ at: DAY_LAST_AT, cells: DAY_BUCKETS, scale: F.dayLastScale, unit: P.dayLastUnit });
const ring = new ByteRow(SEARCH_AT, SEARCH_CELLS, F.searchScale, P.searchUnit);

/** Half a step of half precision, as a share of a distance. */
const HALF_STEP = 2 ** -11;
const finite = { noNaN: true, noDefaultInfinity: true };

function write(row: HalfRow, values: readonly number[], level = 0, record = createRecord()): SeriesRecord {
  values.forEach((value, i) => row.write(record, i % DAY_BUCKETS, value, level));
  return record;
}

function expectNear(value: number, wanted: number, error: number): void {
  expect(Math.abs(value - wanted)).toBeLessThanOrEqual(error);
}

describe('a row of half words', () => {
  it('keeps each value to a thousandth or two of its distance from the level', () => {
    const value = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: DAY_BUCKETS }),
        fc.integer({ min: -200_000, max: 200_000 }),
        fc.integer({ min: -20, max: 30 }),
        (values, level, octaves) => {
          const scaled = values.map((one) => one * 2 ** octaves);
          const record = write(day, scaled, level * 2 ** octaves);
          // What is less than a thousandth of a millionth of the others may be taken for nothing.
          const least = Math.max(...scaled.map((one) => Math.abs(one - level * 2 ** octaves))) * 2 ** -20;
          scaled.forEach((one, i) => {
            const error = 2 * HALF_STEP * Math.abs(one - level * 2 ** octaves) + least;
            const kept = day.read(record, i);
            // Of the first few, those that are many thousand times the first one may be known only as that large.
            if (Number.isFinite(kept)) expectNear(kept, one, error);
            else expect(scaled.slice(0, i).filter((before) => before !== level * 2 ** octaves).length).toBeLessThan(8);
          });
        },
      ),
      { seed: 20_261_123, numRuns: 300 },
    );
  });

  it('loses no digits by one absurd value, whenever it comes', () => {
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

  it('follows values that become much larger or smaller', () => {
    const record = createRecord();
    for (const scale of [1, 1e7, 1e-3]) {
      const values = Array.from({ length: DAY_BUCKETS }, (_, i) => scale * (1 + (i % 12)));
      for (let round = 0; round < 2; round++) write(day, values, 0, record);
      values.forEach((value, i) => expectNear(day.read(record, i), value, 12 * scale * HALF_STEP));
    }
  });

  it('has room for what is to be kept however large', () => {
    const record = write(day, [1, 2, 3, 4, 5, 6]);
    day.write(record, 6, -1e8, 0, true);
    expectNear(day.read(record, 6), -1e8, 1e8 * HALF_STEP);
  });

  it('comes back to values that have moved away from its level', () => {
    const values = Array.from({ length: DAY_BUCKETS }, (_, i) => 1e6 + (i % 10));
    const record = createRecord();
    for (let round = 0; round < 4; round++) {
      write(day, values, 0, record);
      day.refit(record);
    }
    write(day, values, 0, record);
    values.forEach((value, i) => expectNear(day.read(record, i), value, 10 * HALF_STEP));
  });

  it('is read in place as the row reads it, and can be moved, copied and forgotten', () => {
    const record = write(visits, [3, -4, 5]);
    day.copy(record, visits);
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
    expectNear(visits.read(record, 1), -4, 4 * HALF_STEP);
  });
});

describe('a row of bytes', () => {
  const last = (record: SeriesRecord, count: number): number[] =>
    Array.from({ length: count }, (_, i) => ring.read(record, i));

  it('keeps values to a hundredth of their extent', () => {
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

  it('keeps what is far outside as such, up to three to a side, and takes in more of it', () => {
    const record = createRecord();
    for (let i = 0; i < 100; i++) ring.write(record, i, i % 10);
    for (let i = 100; i < 103; i++) ring.write(record, i, 1e9);
    expect(last(record, 104).slice(100)).toEqual([Infinity, Infinity, Infinity, NaN]);
    ring.write(record, 103, 1e3);
    expectNear(ring.read(record, 103), 1e3, 10);
    expectNear(ring.read(record, 9), 9, 10);
  });

  it('tells small values apart again when the large ones have gone', () => {
    const record = createRecord();
    ring.write(record, 0, 1e6);
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < SEARCH_CELLS; i++) ring.write(record, i, i % 10);
      ring.refit(record);
    }
    for (let i = 0; i < SEARCH_CELLS; i++) expectNear(ring.read(record, i), i % 10, 0.05);
  });
});
