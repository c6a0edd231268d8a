import { normal, seededRandom } from '#libs/detection/testing';
import { ISOLATION_FOREST } from './isolation-forest.js';
import { IsolationTrees, usualDepth } from './isolation-trees.js';

describe('usualDepth', () => {
  // c(n) of the paper: 2 H(n - 1) - 2 (n - 1) / n with H(i) = ln(i) + 0.5772156649.
  it.each([
    [1, 0],
    [2, 1],
    [10, 3.748880484475505],
    [256, 10.244770920119917],
  ])('returns the average path length for %i points', (count, want) => expect(usualDepth(count)).toBeCloseTo(want, 12));
});

describe('IsolationTrees', () => {
  it('isolate two points with one cut', () => {
    const trees = new IsolationTrees(10, 2, 1, seededRandom(1));
    const numbers = Float64Array.of(0, 1);
    trees.fit({ numbers, from: 0, to: 2 });
    // Depth 1 of c(2) = 1 in every tree.
    expect(trees.score(numbers, 0)).toBeCloseTo(0.5, 12);
  });

  it('do not separate equal points', () => {
    const trees = new IsolationTrees(10, 64, 1, seededRandom(1));
    trees.fit({ numbers: new Float64Array(64), from: 0, to: 64 });
    // One leaf at depth 0 with c(64) below it.
    expect(trees.score(Float64Array.of(7), 0)).toBeCloseTo(0.5, 12);
  });

  it('score the outlier of a point cloud highest and its centre low', () => {
    const noise = normal(1);
    const numbers = Float64Array.from({ length: 2001 }, noise);
    numbers[700] = 8;
    numbers[701] = 8;
    const trees = new IsolationTrees(100, 256, 2, seededRandom(1));
    trees.fit({ numbers, from: 0, to: 2000 });
    const scores = Array.from({ length: 2000 }, (_, point) => trees.score(numbers, point));
    expect(scores.indexOf(Math.max(...scores))).toBe(700);
    expect(scores[700]).toBeGreaterThan(0.75);
    expect(trees.score(Float64Array.of(0, 0), 0)).toBeLessThan(0.45);
  });
});

describe('ISOLATION_FOREST', () => {
  it('draws different trees for a different seed', () => {
    const noise = normal(1);
    const values = Float64Array.from({ length: 400 }, noise);
    const timestamps = values.map((_, row) => row);
    const [one, other] = [1, 2].map((seed) => ISOLATION_FOREST.run(timestamps, values, { seed }).scores);
    expect(one).not.toEqual(other);
    expect(one).toEqual(ISOLATION_FOREST.run(timestamps, values).scores);
  });

  it('forgets values older than 8,192 rows', () => {
    const noise = normal(1);
    const values = Float64Array.from({ length: 20_000 }, (_, row) => (row < 5000 ? 100 : 0) + noise());
    const { scores, threshold } = ISOLATION_FOREST.run(
      values.map((_, row) => row),
      values,
    );
    expect(scores[5010]).toBeGreaterThan(threshold);
    expect(Math.max(...scores.subarray(15_000))).toBeLessThan(0.9);
    expect(scores.subarray(15_000).reduce((sum, score) => sum + score, 0) / 5000).toBeLessThan(0.55);
  });
});
