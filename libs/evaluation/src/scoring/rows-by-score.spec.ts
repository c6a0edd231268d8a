import fc from 'fast-check';
import { rowsByScore } from './rows-by-score.js';

describe('rowsByScore', () => {
  it('sorts by descending score, keeps the order of equal scores, and drops NaN', () => {
    expect(Array.from(rowsByScore(Float64Array.of(0.2, NaN, 0.9, 0.2, -1, Infinity, 0.9)))).toEqual([5, 2, 6, 0, 3, 4]);
  });

  it('agrees with sorting pairs', () => {
    // Few distinct values, both zeros among them, so that ties are common.
    const score = fc.constantFrom(0, -0, 0.1, 0.5, 0.5000001, 1, -3);
    fc.assert(
      fc.property(fc.array(score), (scores) => {
        const sorted = scores
          .map((value, row) => ({ value, row }))
          .sort((a, b) => b.value - a.value || a.row - b.row)
          .map(({ row }) => row);
        expect(Array.from(rowsByScore(Float64Array.from(scores)))).toEqual(sorted);
      }),
      { seed: 71, numRuns: 300 },
    );
  });
});
