import { type CsvSeries } from './read-series-csv.js';
import { inOrderOfTime } from './series-order.js';

const read = (timestamps: number[], labels?: number[]): CsvSeries => ({
  timestamps: Float64Array.from(timestamps),
  values: Float64Array.from(timestamps.keys()),
  timestampTexts: timestamps.map(String),
  lines: Float64Array.from(timestamps, (_, row) => row + 1),
  valueName: 'load',
  ...(labels === undefined ? {} : { labels: Uint8Array.from(labels) }),
});

describe('inOrderOfTime', () => {
  it('reverses all columns of a file with the newest row first', () => {
    const { series, placeOf } = inOrderOfTime(read([30, 20, 10], [1, 0, 0]));
    expect(series).toEqual({
      timestamps: Float64Array.of(10, 20, 30),
      values: Float64Array.of(2, 1, 0),
      timestampTexts: ['10', '20', '30'],
      lines: Float64Array.of(3, 2, 1),
      valueName: 'load',
      labels: Uint8Array.of(0, 0, 1),
    });
    expect([...placeOf]).toEqual([2, 1, 0]);
  });

  it('keeps the order of rows with the same time', () => {
    expect([...inOrderOfTime(read([20, 10, 20])).series.values]).toEqual([1, 0, 2]);
  });

  it('returns the same series for a file in time order', () => {
    const file = read([10, 10, 20]);
    expect(inOrderOfTime(file).series).toBe(file);
  });
});
