import { holdOf, sampleAt, valueText } from './series-values.js';
import { type StoredSeriesRow } from './series.types.js';

const aRow = (row: Partial<StoredSeriesRow> = {}): StoredSeriesRow => ({
  id: 1,
  name: 'a',
  displayName: 'a',
  labels: {},
  type: 'gauge',
  firstTimestamp: 0,
  lastTimestamp: 600,
  lastValue: 1,
  resolutionSeconds: 60,
  hasEnded: false,
  ...row,
});

describe('holdOf', () => {
  it.each([
    ['five minutes for an interval of a minute', {}, null, 0, 300],
    ['three hours for an interval of an hour', { resolutionSeconds: 3600 }, null, 0, 10_800],
    ['five minutes for an unknown interval', { resolutionSeconds: null }, null, 0, 300],
    ['three times the slot of a roll-up', {}, null, 600, 1800],
    ['the lookback of the request', { resolutionSeconds: 3600 }, 30, 0, 30],
  ] as const)('returns %s', (_, row, lookback, slot, seconds) => {
    expect(holdOf(aRow(row), lookback, slot).seconds).toBe(seconds);
  });
});

describe('sampleAt', () => {
  const points = { timestamps: Float64Array.of(60, 120, 600), values: Float64Array.of(1, 2, 3) };
  const at = (row: Partial<StoredSeriesRow>, ...times: number[]) =>
    [...sampleAt(points, Float64Array.from(times), holdOf(aRow(row), null, 0)).values].map((value) =>
      Number.isNaN(value) ? null : value,
    );

  it('returns the newest point before each time while it holds', () => {
    expect(at({}, 59, 60, 119.5, 120, 419, 420, 600, 899, 900)).toEqual([null, 1, 1, 2, 2, null, 3, 3, null]);
  });

  it('holds the last point of an ended series for one interval, and earlier points as usual', () => {
    expect(at({ hasEnded: true }, 419, 600, 659, 660)).toEqual([2, 3, 3, null]);
  });

  it('returns the timestamp of the point of each value', () => {
    const { timestamps } = sampleAt(points, Float64Array.of(0, 130), holdOf(aRow(), null, 0));
    expect([...timestamps]).toEqual([Number.NaN, 120]);
  });

  it('returns NaN without points', () => {
    const none = { timestamps: new Float64Array(), values: new Float64Array() };
    expect([...sampleAt(none, Float64Array.of(1), holdOf(aRow(), null, 0)).values]).toEqual([Number.NaN]);
  });
});

describe('valueText', () => {
  it.each([
    [1, '1'],
    [0.1, '0.1'],
    [-2.5e-9, '-2.5e-9'],
    [Infinity, '+Inf'],
    [-Infinity, '-Inf'],
    [Number.NaN, 'NaN'],
  ])('formats %d as %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });
});
