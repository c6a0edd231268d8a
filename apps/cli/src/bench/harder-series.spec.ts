import { averaged, withoutStart, type WindowedSeries } from './harder-series.js';

const series = (values: number[], windows: [number, number][]): WindowedSeries => ({
  timestamps: Float64Array.from(values, (_, row) => 60 * row),
  values: Float64Array.from(values),
  windows: windows.map(([first, last]) => ({ first, last })),
});

function plain({ timestamps, values, windows }: WindowedSeries): unknown[] {
  return [Array.from(timestamps), Array.from(values), windows.map(({ first, last }) => [first, last])];
}

describe('withoutStart', () => {
  it('drops the first rows and the windows that begin in them', () => {
    const all = series(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      [
        [0, 1],
        [2, 4],
        [5, 6],
      ],
    );
    expect(plain(withoutStart(all, 0.39))).toEqual([
      [180, 240, 300, 360, 420, 480, 540],
      [3, 4, 5, 6, 7, 8, 9],
      [[2, 3]],
    ]);
  });

  it('keeps the series unchanged with a share of 0', () => {
    const all = series([0, 1, 2], [[1, 2]]);
    expect(plain(withoutStart(all, 0))).toEqual(plain(all));
  });
});

describe('averaged', () => {
  it('averages rows into one at the time of the first, and keeps the windows over their rows', () => {
    const all = series([0, 2, 4, NaN, NaN, NaN, 7], [[1, 3]]);
    expect(plain(averaged(all, 2))).toEqual([[0, 120, 240, 360], [1, 4, NaN, 7], [[0, 1]]]);
  });

  it('joins windows that end and begin in the same averaged row', () => {
    expect(
      averaged(
        series(
          [0, 1, 2, 3, 4, 5],
          [
            [0, 2],
            [3, 4],
            [5, 5],
          ],
        ),
        2,
      ).windows,
    ).toEqual([{ first: 0, last: 2 }]);
    expect(
      averaged(
        series(
          [0, 1, 2, 3, 4, 5],
          [
            [0, 1],
            [4, 5],
          ],
        ),
        2,
      ).windows,
    ).toHaveLength(2);
  });
});
