import { type Random } from '#libs/synthetic';

const { ceil, floor, log, log2 } = Math;

const EULER = 0.577_215_664_901_532_9;

/** Mean length of an unsuccessful search in a binary tree of `count` points, with which depths are compared. */
export function usualDepth(count: number): number {
  if (count <= 1) return 0;
  if (count === 2) return 1;
  return 2 * (log(count - 1) + EULER) - (2 * (count - 1)) / count;
}

/** Points as runs of consecutive numbers: point i consists of numbers i .. i + dimensions - 1. */
export interface Shingles {
  numbers: Float64Array;
  /** First point, and the index after the last. */
  from: number;
  to: number;
}

/**
 * Trees that separate random samples with random cuts until each point is alone; a point that is soon alone is unusual.
 * Source: Liu, Ting & Zhou (2008), "Isolation Forest", ICDM.
 */
export class IsolationTrees {
  private readonly mostDepth: number;
  private readonly nodesPerTree: number;
  /** Dimension of the cut; -1 for a leaf. */
  private readonly dimension: Int8Array;
  /** Position of the cut; for a leaf, the depth of a point in it. */
  private readonly cut: Float64Array;
  /** Node of the smaller values; the node of the other values follows it. */
  private readonly child: Int32Array;
  private nextNode = 0;
  private usual = 1;

  constructor(
    private readonly trees: number,
    private readonly sampleSize: number,
    private readonly dimensions: number,
    private readonly random: Random,
  ) {
    this.mostDepth = ceil(log2(sampleSize));
    this.nodesPerTree = 2 * sampleSize;
    this.dimension = new Int8Array(trees * this.nodesPerTree);
    this.cut = new Float64Array(trees * this.nodesPerTree);
    this.child = new Int32Array(trees * this.nodesPerTree);
  }

  /** Regrows all trees from samples of the points. */
  fit(shingles: Shingles): void {
    const { random, trees, nodesPerTree } = this;
    const count = shingles.to - shingles.from;
    const points = Int32Array.from({ length: count }, (_, i) => shingles.from + i);
    const taken = count < this.sampleSize ? count : this.sampleSize;
    this.usual = usualDepth(taken);
    for (let tree = 0; tree < trees; tree++) {
      // The first positions of a shuffle are a sample without replacement.
      for (let i = 0; i < taken; i++) {
        const other = i + floor(random() * (count - i));
        const point = points[i]!;
        points[i] = points[other]!;
        points[other] = point;
      }
      const root = tree * nodesPerTree;
      this.nextNode = root + 1;
      this.grow(root, points, 0, taken, 0, shingles.numbers);
    }
  }

  /** 0..1: near 1 if isolated immediately, 0.5 if as deep as usual. */
  score(numbers: Float64Array, point: number): number {
    const { trees, nodesPerTree, dimension, cut, child } = this;
    let depths = 0;
    for (let tree = 0; tree < trees; tree++) {
      let node = tree * nodesPerTree;
      let at = dimension[node]!;
      while (at >= 0) {
        node = child[node]! + (numbers[point + at]! < cut[node]! ? 0 : 1);
        at = dimension[node]!;
      }
      depths += cut[node]!;
    }
    return 2 ** (-depths / (trees * this.usual));
  }

  private grow(node: number, points: Int32Array, from: number, to: number, depth: number, numbers: Float64Array): void {
    const cutAt = depth < this.mostDepth && to - from > 1 ? this.chooseCut(node, points, from, to, numbers) : false;
    if (!cutAt) {
      this.dimension[node] = -1;
      this.cut[node] = depth + usualDepth(to - from);
      return;
    }
    const at = this.dimension[node]!;
    const cut = this.cut[node]!;
    let middle = from;
    for (let i = from; i < to; i++) {
      const point = points[i]!;
      if (!(numbers[point + at]! < cut)) continue;
      points[i] = points[middle]!;
      points[middle] = point;
      middle += 1;
    }
    const child = this.nextNode;
    this.nextNode += 2;
    this.child[node] = child;
    this.grow(child, points, from, middle, depth + 1, numbers);
    this.grow(child + 1, points, middle, to, depth + 1, numbers);
  }

  /** Draws a random value of a random dimension in which the points differ. False if all points are equal. */
  private chooseCut(node: number, points: Int32Array, from: number, to: number, numbers: Float64Array): boolean {
    const { dimensions, random } = this;
    const first = floor(random() * dimensions);
    for (let tried = 0; tried < dimensions; tried++) {
      const at = (first + tried) % dimensions;
      let [low, high] = [Infinity, -Infinity];
      for (let i = from; i < to; i++) {
        const number = numbers[points[i]! + at]!;
        if (number < low) low = number;
        if (number > high) high = number;
      }
      const cut = low + random() * (high - low);
      // Rounding can put the cut on the lowest value, where it would separate nothing.
      if (!(cut > low)) continue;
      this.dimension[node] = at;
      this.cut[node] = cut;
      return true;
    }
    return false;
  }
}
