import { SERIES_CHANGES } from './bench-ablation.js';

describe('SERIES_CHANGES', () => {
  const series = {
    timestamps: Float64Array.from({ length: 100 }, (_, row) => row * 60),
    values: Float64Array.from({ length: 100 }, (_, row) => row),
    windows: [{ first: 50, last: 59 }],
  };

  it.each([
    ['as it is', { rows: 100, time: 0, value: 99, first: 50 }],
    ['first 8 % cut', { rows: 92, time: 480, value: 99, first: 42 }],
    ['2:1 averaged', { rows: 50, time: 0, value: 98.5, first: 25 }],
    ['x * 1000 + 50000', { rows: 100, time: 0, value: 149_000, first: 50 }],
    ['x * 0.0001', { rows: 100, time: 0, value: 99e-4, first: 50 }],
    ['-x', { rows: 100, time: 0, value: -99, first: 50 }],
    ['clock + 7 h 13 min', { rows: 100, time: 25_980, value: 99, first: 50 }],
  ])('%s', (name, want) => {
    const { timestamps, values, windows } = SERIES_CHANGES.find((one) => one.name === name)!.change(series);
    expect(timestamps).toHaveLength(want.rows);
    expect(timestamps[0]).toBe(want.time);
    expect(values.at(-1)).toBeCloseTo(want.value, 9);
    expect(windows[0]!.first).toBe(want.first);
    // The change must not modify its input.
    expect([series.timestamps[0], series.values[99]]).toEqual([0, 99]);
  });
});
