import { columnsAt, packChart, rowsForChart, unpackChart } from './chart-rows.js';

const numbers = (length: number, of: (row: number) => number) => Float64Array.from({ length }, (_, row) => of(row));

describe('rows of a chart', () => {
  it('include all rows with a value when there are few', () => {
    expect(rowsForChart(Float64Array.of(1, NaN, 3), 100)).toEqual([0, 2]);
  });

  it('keep the minimum and maximum of each interval, in order of time', () => {
    const values = numbers(10_000, (row) => (row === 777 ? 1000 : row === 4321 ? -1000 : row % 7));
    const rows = rowsForChart(values, 200);
    expect(rows.length).toBeLessThanOrEqual(200);
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    expect(rows).toContain(777);
    expect(rows).toContain(4321);
    expect(rowsForChart(new Float64Array(500).fill(NaN), 100)).toEqual([]);
  });

  it('carry the highest score up to the next row, and survive packing', () => {
    const column = numbers(10, (row) => row);
    const scores = numbers(10, (row) => (row === 5 ? 0.9 : 0));
    const kept = columnsAt({ timestamps: column, values: column, lower: column, upper: column, scores }, [0, 4, 8]);
    expect(Array.from(kept.scores)).toEqual([0, 0.9, 0]);
    expect(unpackChart(packChart(kept))).toEqual(kept);
  });
});
