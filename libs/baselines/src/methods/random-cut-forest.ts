import { type Random, seededRandom } from '#libs/synthetic';
import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, EVEN, type RowScorer, scoreOf } from './define-baseline.js';
import { RandomCutTree } from './random-cut-tree.js';

const { floor } = Math;

const TREES = 40;
const SAMPLE = 256;
/** Number of consecutive values in one point; with more values, fewer anomalies were found on server metrics. */
const SHINGLE = 1;
/**
 * Probability that a tree adds a row to its sample, where it replaces a random one: the sample is 256 of about 1,280
 * rows.
 */
const TAKEN = 0.2;
/** Number of points of the sample that are pushed down: about half of it. */
const ALARM_DISPLACEMENT = 120;

class RandomCutScorer implements RowScorer {
  private readonly trees: RandomCutTree[];
  /** The leaf of each point, for each tree. */
  private readonly leaves: Int32Array[];
  private readonly shingle = new Float64Array(SHINGLE);
  private rows = 0;

  constructor(private readonly random: Random) {
    this.trees = Array.from({ length: TREES }, () => new RandomCutTree(SAMPLE, SHINGLE, random));
    this.leaves = Array.from({ length: TREES }, () => new Int32Array(SAMPLE));
  }

  next(_timestamp: number, value: number): number {
    const { trees, shingle } = this;
    shingle.copyWithin(0, 1);
    shingle[SHINGLE - 1] = value;
    this.rows += 1;
    if (this.rows < SHINGLE) return 0;
    let sum = 0;
    for (const tree of trees) sum += tree.displacement(shingle, 0);
    trees.forEach((tree, i) => this.sample(tree, this.leaves[i]!));
    return scoreOf(sum / TREES, ALARM_DISPLACEMENT);
  }

  private sample(tree: RandomCutTree, leaves: Int32Array): void {
    const { random, shingle } = this;
    const size = tree.size;
    if (size < SAMPLE) {
      leaves[size] = tree.add(shingle, 0);
      return;
    }
    if (random() >= TAKEN) return;
    const place = floor(random() * SAMPLE);
    tree.remove(leaves[place]!);
    leaves[place] = tree.add(shingle, 0);
  }
}

/**
 * Random cut forest: the number of points that a row would push down in trees of random cuts through samples of the
 * previous rows. 40 trees of 256 points; samples are biased to the latest rows. O(trees · depth) per row. Source: Guha,
 * Mishra, Roy & Schrijvers (2016), "Robust Random Cut Forest Based Anomaly Detection on Streams", ICML (trees,
 * collusive displacement); Aggarwal (2006), "On Biased Reservoir Sampling in the Presence of Stream Evolution", VLDB
 * (samples).
 */
export const RANDOM_CUT_FOREST: BaselineModel = defineBaseline({
  id: 'random_cut_forest',
  name: 'Random cut forest',
  description: 'Random trees over samples of the past; a value is unusual when it would push many others down.',
  source: 'Guha et al. (2016), Robust Random Cut Forest Based Anomaly Detection on Streams',
  minimumPoints: SAMPLE,
  speed: 'medium',
  threshold: EVEN,
  hasRange: false,
  start: ({ seed }) => new RandomCutScorer(seededRandom(seed)),
});
