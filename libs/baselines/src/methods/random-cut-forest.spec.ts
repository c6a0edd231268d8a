import { normal, seededRandom, uniform } from '#libs/detection/testing';
import { RANDOM_CUT_FOREST } from './random-cut-forest.js';
import { RandomCutTree } from './random-cut-tree.js';

const point = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

describe('RandomCutTree', () => {
  it('returns displacement 0 while empty', () => {
    const tree = new RandomCutTree(4, 1, seededRandom(1));
    expect(tree.size).toBe(0);
    expect(tree.displacement(point(1), 0)).toBe(0);
  });

  it('returns the number of all points as the displacement of an isolated point', () => {
    const tree = new RandomCutTree(8, 2, seededRandom(1));
    for (let i = 0; i < 8; i++) tree.add(point(1, 1), 0);
    expect(tree.size).toBe(8);
    expect(tree.displacement(point(1, 3), 0)).toBe(8);
    // Another equal point displaces none.
    expect(tree.displacement(point(1, 1), 0)).toBe(0);
  });

  it('divides the displacement by the number of equal points', () => {
    const tree = new RandomCutTree(8, 1, seededRandom(1));
    for (const value of [0, 0, 0, 5]) tree.add(point(value), 0);
    // A second 5 displaces the three zeros, in a group of two. A fourth zero displaces the 5, in a group of four.
    expect(tree.displacement(point(5), 0)).toBe(3 / 2);
    expect(tree.displacement(point(0), 0)).toBe(1 / 4);
  });

  it('draws cuts in proportion to side lengths', () => {
    // A point 2 beyond a box of length 8 is cut off in one draw of five, and then displaces both points. In other draws
    // the cut of the tree remains, and the point is cut off only from the point 8: displacement 1.
    let cutOff = 0;
    for (let seed = 0; seed < 2000; seed++) {
      const tree = new RandomCutTree(4, 1, seededRandom(seed));
      tree.add(point(0), 0);
      tree.add(point(8), 0);
      const displacement = tree.displacement(point(10), 0);
      expect([1, 2]).toContain(displacement);
      if (displacement === 2) cutOff += 1;
    }
    expect(cutOff / 2000).toBeCloseTo(0.2, 1);
  });

  it('has the same state after points were added and removed', () => {
    const random = uniform(9);
    const tree = new RandomCutTree(64, 3, seededRandom(9));
    const draw = (): Float64Array => point(Math.floor(random() * 4), random(), Math.floor(random() * 2));
    const leaves: number[] = [];
    for (let step = 0; step < 5000; step++) {
      if (leaves.length < 64 && random() < 0.6) leaves.push(tree.add(draw(), 0));
      else if (leaves.length > 0) tree.remove(leaves.splice(Math.floor(random() * leaves.length), 1)[0]!);
      expect(tree.size).toBe(leaves.length);
    }
    // Far beyond all dimensions nearly every draw cuts off the whole tree.
    tree.remove(tree.add(point(1e9, 1e9, 1e9), 0));
    expect(tree.displacement(point(1e9, 1e9, 1e9), 0)).toBe(leaves.length);
    for (const leaf of leaves) tree.remove(leaf);
    expect(tree.size).toBe(0);
    tree.add(point(1, 2, 3), 0);
    expect(tree.displacement(point(1, 2, 3), 0)).toBe(0);
  });
});

describe('RANDOM_CUT_FOREST', () => {
  it('scores an outlier high and adapts to a new level', () => {
    const noise = normal(1);
    const values = Float64Array.from({ length: 12_000 }, (_, row) => (row < 4000 ? 0 : 50) + noise());
    values[3000] = 30;
    const { scores, threshold } = RANDOM_CUT_FOREST.run(
      values.map((_, row) => row),
      values,
    );
    expect(scores[3000]).toBeGreaterThan(threshold);
    expect(scores[4000]).toBeGreaterThan(threshold);
    expect(scores.subarray(9000).filter((score) => score >= threshold).length).toBeLessThan(30);
  });
});
