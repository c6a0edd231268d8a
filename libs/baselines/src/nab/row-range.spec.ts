import { labelledRanges } from './row-range.js';

describe('labelledRanges', () => {
  it.each([
    [[], []],
    [[0, 0], []],
    [[1], [{ first: 0, last: 0 }]],
    [
      [1, 1, 0, 0, 1, 0, 1, 1],
      [
        { first: 0, last: 1 },
        { first: 4, last: 4 },
        { first: 6, last: 7 },
      ],
    ],
  ])('converts %j to the ranges %j', (labels, want) => expect(labelledRanges(Uint8Array.from(labels))).toEqual(want));
});
