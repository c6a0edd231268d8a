import { type Random } from '#libs/synthetic';

const { max, min } = Math;

const NONE = -1;

/**
 * A random cut tree over at most `capacity` points: every inner node cuts the bounding box of its points at a random
 * position, in a dimension chosen with a probability proportional to its length. Points can be added and removed, and
 * the tree always has the distribution of a tree drawn for its current points. O(depth · dimensions) to add, remove or
 * score. Source: Guha, Mishra, Roy & Schrijvers (2016), "Robust Random Cut Forest Based Anomaly Detection on Streams",
 * ICML.
 */
export class RandomCutTree {
  private root = NONE;
  private readonly parent: Int32Array;
  /** Children; NONE for a leaf. */
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly cutDimension: Uint8Array;
  private readonly cutValue: Float64Array;
  /** Number of points below, including duplicates. */
  private readonly count: Int32Array;
  /** Bounding boxes; for a leaf, both corners are the point. */
  private readonly low: Float64Array;
  private readonly high: Float64Array;
  private readonly free: Int32Array;
  private freeCount: number;

  constructor(
    capacity: number,
    private readonly dimensions: number,
    private readonly random: Random,
  ) {
    const nodes = 2 * capacity;
    this.parent = new Int32Array(nodes).fill(NONE);
    this.left = new Int32Array(nodes).fill(NONE);
    this.right = new Int32Array(nodes).fill(NONE);
    this.cutDimension = new Uint8Array(nodes);
    this.cutValue = new Float64Array(nodes);
    this.count = new Int32Array(nodes);
    this.low = new Float64Array(nodes * dimensions);
    this.high = new Float64Array(nodes * dimensions);
    this.free = Int32Array.from({ length: nodes }, (_, i) => nodes - 1 - i);
    this.freeCount = nodes;
  }

  /** Number of points in the tree. */
  get size(): number {
    return this.root === NONE ? 0 : this.count[this.root]!;
  }

  /**
   * Collusive displacement that a point would have if it were added: the number of points that would be one level less
   * deep without the point and its group, per member of the group; the maximum over all groups. One possible position
   * is drawn at random. 0 in an empty tree.
   */
  displacement(numbers: Float64Array, point: number): number {
    const { left, right, count, dimensions, cutDimension, cutValue, low, high, random } = this;
    let node = this.root;
    if (node === NONE) return 0;
    let most = 0;
    for (;;) {
      const at = node * dimensions;
      let inside = 0;
      let outside = 0;
      for (let d = 0; d < dimensions; d++) {
        const number = numbers[point + d]!;
        const [from, to] = [low[at + d]!, high[at + d]!];
        inside += to - from;
        if (number < from) outside += from - number;
        else if (number > to) outside += number - to;
      }
      // The new box is cut at a random position; a cut outside the old box separates the point.
      if (outside > 0 && random() * (inside + outside) < outside) {
        return count[node]! > most ? count[node]! : most;
      }
      if (left[node] === NONE) return most;
      const isLeft = numbers[point + cutDimension[node]!]! <= cutValue[node]!;
      const [own, other] = isLeft ? [left[node]!, right[node]!] : [right[node]!, left[node]!];
      const displaced = count[other]! / (count[own]! + 1);
      if (displaced > most) most = displaced;
      node = own;
    }
  }

  /**
   * Adds a point; returns its leaf, for `remove`. The caller ensures that there are never more than `capacity` points.
   */
  add(numbers: Float64Array, point: number): number {
    const { left, right, cutDimension, cutValue, count } = this;
    let node = this.root;
    if (node === NONE) return (this.root = this.createLeaf(numbers, point));
    for (;;) {
      const outside = this.outside(node, numbers, point);
      if (outside > 0) {
        const branch = this.cutOff(node, numbers, point);
        if (branch !== NONE) return this.right[branch] === node ? left[branch]! : right[branch]!;
        this.extend(node, numbers, point);
      }
      count[node] = count[node]! + 1;
      // The point is not outside of the leaf, so they are equal.
      if (left[node] === NONE) return node;
      node = numbers[point + cutDimension[node]!]! <= cutValue[node]! ? left[node]! : right[node]!;
    }
  }

  /** Removes one point from its leaf. */
  remove(leaf: number): void {
    const { parent, left, right, count } = this;
    for (let up = leaf; up !== NONE; up = parent[up]!) count[up] = count[up]! - 1;
    if (count[leaf]! > 0) return;
    const branch = parent[leaf]!;
    this.free[this.freeCount++] = leaf;
    if (branch === NONE) {
      this.root = NONE;
      return;
    }
    this.free[this.freeCount++] = branch;
    const sibling = left[branch] === leaf ? right[branch]! : left[branch]!;
    this.replace(branch, sibling);
    for (let up = parent[sibling]!; up !== NONE; up = parent[up]!) this.fitBox(up);
  }

  /** Distance of a point from the box of a node, summed over all dimensions. */
  private outside(node: number, numbers: Float64Array, point: number): number {
    const at = node * this.dimensions;
    let outside = 0;
    for (let d = 0; d < this.dimensions; d++) {
      const number = numbers[point + d]!;
      if (number < this.low[at + d]!) outside += this.low[at + d]! - number;
      else if (number > this.high[at + d]!) outside += number - this.high[at + d]!;
    }
    return outside;
  }

  /**
   * Cuts the box of a node and a point outside of it at a random position. If that separates the point from the node, a
   * branch with that cut replaces the node and is returned; otherwise NONE. A leaf is always separated.
   */
  private cutOff(node: number, numbers: Float64Array, point: number): number {
    const { dimensions, low, high } = this;
    const at = node * dimensions;
    let total = 0;
    for (let d = 0; d < dimensions; d++) {
      const number = numbers[point + d]!;
      total += max(high[at + d]!, number) - min(low[at + d]!, number);
    }
    let place = this.random() * total;
    for (let d = 0; d < dimensions; d++) {
      const number = numbers[point + d]!;
      const start = min(low[at + d]!, number);
      const length = max(high[at + d]!, number) - start;
      if (place >= length) {
        place -= length;
        continue;
      }
      const cut = start + place;
      if (number < low[at + d]!) return cut < low[at + d]! ? this.branchOff(node, d, cut, numbers, point) : NONE;
      // Rounding can put the cut on the point, which would then not be separated.
      if (number > high[at + d]! && cut >= high[at + d]!) {
        return this.branchOff(node, d, cut < number ? cut : high[at + d]!, numbers, point);
      }
      return NONE;
    }
    return NONE;
  }

  private branchOff(node: number, dimension: number, cut: number, numbers: Float64Array, point: number): number {
    const { parent, left, right, low, high, dimensions, count } = this;
    const branch = this.free[--this.freeCount]!;
    const leaf = this.createLeaf(numbers, point);
    this.replace(node, branch);
    const isLeft = numbers[point + dimension]! <= cut;
    left[branch] = isLeft ? leaf : node;
    right[branch] = isLeft ? node : leaf;
    parent[leaf] = parent[node] = branch;
    this.cutDimension[branch] = dimension;
    this.cutValue[branch] = cut;
    count[branch] = count[node]! + 1;
    low.copyWithin(branch * dimensions, node * dimensions, (node + 1) * dimensions);
    high.copyWithin(branch * dimensions, node * dimensions, (node + 1) * dimensions);
    this.extend(branch, numbers, point);
    return branch;
  }

  private createLeaf(numbers: Float64Array, point: number): number {
    const leaf = this.free[--this.freeCount]!;
    this.left[leaf] = this.right[leaf] = this.parent[leaf] = NONE;
    this.count[leaf] = 1;
    for (let d = 0; d < this.dimensions; d++) {
      this.low[leaf * this.dimensions + d] = this.high[leaf * this.dimensions + d] = numbers[point + d]!;
    }
    return leaf;
  }

  /** Replaces `node` with `other` in its parent. */
  private replace(node: number, other: number): void {
    const { parent, left, right } = this;
    const above = parent[node]!;
    parent[other] = above;
    if (above === NONE) this.root = other;
    else if (left[above] === node) left[above] = other;
    else right[above] = other;
  }

  private extend(node: number, numbers: Float64Array, point: number): void {
    const at = node * this.dimensions;
    for (let d = 0; d < this.dimensions; d++) {
      const number = numbers[point + d]!;
      if (number < this.low[at + d]!) this.low[at + d] = number;
      if (number > this.high[at + d]!) this.high[at + d] = number;
    }
  }

  /** Computes the box of a branch from the boxes of its children. */
  private fitBox(branch: number): void {
    const { dimensions, low, high } = this;
    const at = branch * dimensions;
    const left = this.left[branch]! * dimensions;
    const right = this.right[branch]! * dimensions;
    for (let d = 0; d < dimensions; d++) {
      low[at + d] = min(low[left + d]!, low[right + d]!);
      high[at + d] = max(high[left + d]!, high[right + d]!);
    }
  }
}
