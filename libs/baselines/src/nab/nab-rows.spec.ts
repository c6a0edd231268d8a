import { nabProbationRows, nabRows, scaledSigmoid } from './nab-rows.js';

describe('scaledSigmoid', () => {
  it.each([
    // 2/(1+e^(5y)) - 1 = -tanh(2.5 y); tanh(2.5) = 0.98661429815143, tanh(1.25) = 0.84828363995751.
    [-1, 0.98661429815143],
    [-0.5, 0.84828363995751],
    [0, 0],
    [0.5, -0.84828363995751],
    [1, -0.98661429815143],
    [3.001, -1],
    [Infinity, -1],
  ])('maps %d to %d', (position, want) => expect(scaledSigmoid(position)).toBeCloseTo(want, 12));
});

describe('nabProbationRows', () => {
  it.each([
    [10, 1],
    [1127, 169],
    [5000, 750],
    [22_695, 750],
  ])('for %d rows is %d', (rows, want) => expect(nabProbationRows(rows)).toBe(want));
});

describe('nabRows', () => {
  it('weights rows by their distance from the end of their window, or of the last one before', () => {
    const { windowOf, worth, scorable } = nabRows(12, [{ first: 4, last: 7 }]);
    expect(Array.from(windowOf)).toEqual([-1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1]);
    expect(scorable).toEqual([0]);
    // Four rows in the window: positions -1, -3/4, -1/2, -1/4 over tanh(2.5). After it: positions in thirds.
    const want = [
      ...[-1, -1, -1, -1],
      ...[1, Math.tanh(1.875) / Math.tanh(2.5), Math.tanh(1.25) / Math.tanh(2.5), Math.tanh(0.625) / Math.tanh(2.5)],
      ...[-Math.tanh(2.5 / 3), -Math.tanh(5 / 3), -Math.tanh(2.5), -Math.tanh(10 / 3)],
    ];
    want.forEach((value, row) => expect(worth[row]).toBeCloseTo(value, 12));
  });

  it('gives a false alarm after a window of one row the full weight', () => {
    expect(nabRows(4, [{ first: 1, last: 1 }]).worth[2]).toBe(-1);
  });

  it('scores only windows that have a row after the probation', () => {
    const windows = [
      { first: 3, last: 14 },
      { first: 15, last: 15 },
    ];
    expect(nabRows(100, windows)).toMatchObject({ probation: 15, scorable: [1] });
    expect(nabRows(100, [{ first: 3, last: 15 }]).scorable).toEqual([0]);
  });

  it.each([
    [
      [
        { first: 5, last: 9 },
        { first: 9, last: 10 },
      ],
    ],
    [[{ first: 5, last: 4 }]],
    [[{ first: 95, last: 100 }]],
    [[{ first: -1, last: 3 }]],
  ])('rejects the windows %j', (windows) => expect(() => nabRows(100, windows)).toThrow(RangeError));
});
