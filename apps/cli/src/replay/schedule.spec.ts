import { backfillSchedule, liveSchedule, MAX_BATCH_POINTS } from './schedule.js';

describe('backfillSchedule', () => {
  it('keeps the times of the file in one batch to send immediately, without rows that have no value', () => {
    const batches = Array.from(backfillSchedule(Float64Array.of(60, 120, 180), Float64Array.of(1, NaN, 3), 0));
    expect(batches).toEqual([{ sendAt: -Infinity, timestamps: [60, 180], values: [1, 3] }]);
  });

  it('shifts all times by the offset', () => {
    const [batch] = backfillSchedule(Float64Array.of(60, 120), Float64Array.of(1, 2), 1000);
    expect(batch?.timestamps).toEqual([1060, 1120]);
  });

  it('fills batches to their limit', () => {
    const rows = MAX_BATCH_POINTS * 2 + 5;
    const column = Float64Array.from({ length: rows }, (_, i) => i);
    expect(Array.from(backfillSchedule(column, column, 0), ({ values }) => values.length)).toEqual([
      MAX_BATCH_POINTS,
      MAX_BATCH_POINTS,
      5,
    ]);
  });

  it('is empty for a file without values', () => {
    expect(Array.from(backfillSchedule(Float64Array.of(1), Float64Array.of(NaN), 0))).toEqual([]);
  });
});

describe('liveSchedule', () => {
  it('starts with the first row now and divides intervals by the speed', () => {
    const batches = Array.from(liveSchedule(Float64Array.of(600, 900, 1200), Float64Array.of(1, 2, 3), 5000, 60));
    expect(batches).toEqual([
      { sendAt: 5000, timestamps: [5000], values: [1] },
      { sendAt: 5005, timestamps: [5005], values: [2] },
      { sendAt: 5010, timestamps: [5010], values: [3] },
    ]);
  });

  it('sends points within one second together', () => {
    const batches = Array.from(liveSchedule(Float64Array.of(0, 60, 120), Float64Array.of(1, 2, 3), 5000, 100));
    expect(batches.map(({ timestamps }) => timestamps)).toEqual([[5000, 5000.6], [5001.2]]);
  });
});
