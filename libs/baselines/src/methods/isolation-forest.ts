import { type Random, seededRandom } from '#libs/synthetic';
import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, type RowScorer } from './define-baseline.js';
import { IsolationTrees } from './isolation-trees.js';

const TREES = 100;
const SAMPLE = 256;
/** Number of consecutive values in one point. */
const SHINGLE = 4;
/** Number of latest rows from which the trees are grown, and number of rows after which they are regrown. */
const WINDOW_ROWS = 8192;
const REFIT_ROWS = 256;
const FIRST_FIT_ROWS = 128;
/** According to the paper, 0.5 means no distinct anomaly, and close to 1 a certain one. */
const THRESHOLD = 0.7;

class IsolationScorer implements RowScorer {
  private readonly trees: IsolationTrees;
  private readonly numbers = new Float64Array(2 * WINDOW_ROWS);
  private end = 0;
  private rows = 0;
  private nextFit = FIRST_FIT_ROWS;

  constructor(random: Random) {
    this.trees = new IsolationTrees(TREES, SAMPLE, SHINGLE, random);
  }

  next(_timestamp: number, value: number): number {
    const { numbers, trees } = this;
    if (this.rows === this.nextFit) {
      const from = this.end > WINDOW_ROWS ? this.end - WINDOW_ROWS : 0;
      trees.fit({ numbers, from, to: this.end - SHINGLE + 1 });
      this.nextFit += this.rows < WINDOW_ROWS ? FIRST_FIT_ROWS : REFIT_ROWS;
    }
    if (this.end === numbers.length) {
      numbers.copyWithin(0, WINDOW_ROWS);
      this.end = WINDOW_ROWS;
    }
    numbers[this.end] = value;
    this.end += 1;
    this.rows += 1;
    return this.rows > FIRST_FIT_ROWS ? trees.score(numbers, this.end - SHINGLE) : 0;
  }
}

/**
 * Isolation forest over runs of four values, regrown every 256 rows from the 8,192 rows before: how soon random cuts
 * separate the latest run from samples of them. 100 trees of 256 points, as in the paper. Scores are those of the
 * paper, which regards scores well over 0.5 as unusual. O(trees · depth) per row. Source: Liu, Ting & Zhou (2008),
 * "Isolation Forest", ICDM.
 */
export const ISOLATION_FOREST: BaselineModel = defineBaseline({
  id: 'isolation_forest',
  name: 'Isolation forest',
  description: 'Random trees cut the latest values apart; a few values in a row that are soon alone are unusual.',
  source: 'Liu, Ting, Zhou (2008), Isolation Forest',
  minimumPoints: FIRST_FIT_ROWS,
  speed: 'medium',
  threshold: THRESHOLD,
  hasRange: false,
  start: ({ seed }) => new IsolationScorer(seededRandom(seed)),
});
