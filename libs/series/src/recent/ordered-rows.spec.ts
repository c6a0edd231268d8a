import { orderRows, sortRun } from './ordered-rows.js';

/** The expected result: sorted by time, with the last of equal times. */
function sorted(rows: readonly (readonly [number, number])[]): [number, number][] {
  return [...new Map(rows)].sort(([a], [b]) => a - b);
}

function run(rows: readonly (readonly [number, number])[]): [number, number][] {
  const timestamps = Float64Array.from(rows, ([timestamp]) => timestamp);
  const values = Float64Array.from(rows, ([, value]) => value);
  const end = sortRun(timestamps, values, 0, rows.length);
  return Array.from({ length: end }, (_, i) => [timestamps[i]!, values[i]!]);
}

describe('rows of a batch', () => {
  it.each([1, 2, 5, 31, 32, 33, 100, 1000])(
    'in a run of %i are sorted by time, keeping the last of equal times',
    (length) => {
      const falling = Array.from({ length }, (_, i) => [60 * (length - i), i] as const);
      const mixed = Array.from({ length }, (_, i) => [60 * ((i * 7919) % Math.ceil(length * 0.7)), i] as const);
      expect(run(falling)).toEqual(sorted(falling));
      expect(run(mixed)).toEqual(sorted(mixed));
    },
  );

  it('are ordered by series and time, keeping the last of equal times', () => {
    const batch = {
      ids: Uint32Array.of(3, 1, 2, 1, 3, 1),
      timestamps: Float64Array.of(60, 120, 60, 60, 120, 120),
      values: Float64Array.of(1, 2, 3, 4, 5, 6),
    };
    const { ids, timestamps, values } = orderRows(batch, 1);
    expect([...ids]).toEqual([1, 1, 2, 3, 3]);
    expect([...timestamps]).toEqual([60, 120, 60, 60, 120]);
    expect([...values]).toEqual([4, 6, 3, 1, 5]);
  });
});
