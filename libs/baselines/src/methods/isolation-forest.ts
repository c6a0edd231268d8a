import { type Random, seededRandom } from '#libs/synthetic';
import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, type RowScorer } from './define-baseline.js';
import { IsolationTrees } from './isolation-trees.js';

const TREES = 100;
const SAMPLE = 256;
/** Consecutive values that make one point. */
const SHINGLE = 4;
/** Latest rows that the trees are grown from, and rows after which they are regrown. */
const WINDOW_ROWS = 8192;
const REFIT_ROWS = 256;
const FIRST_FIT_ROWS = 128;
/** The paper: 0.5 has no distinct anomaly, close to 1 surely is one. */
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
 * part the latest run from samples of them. 100 trees of 256 points, the paper's figures. Scores are the paper's; it
 * calls those well over 0.5 unusual. O(trees · depth) a row.
 * Source: Liu, Ting & Zhou (2008), "Isolation Forest", ICDM.
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
