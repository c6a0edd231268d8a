import { scoreSeries } from '#libs/detection';
import { type BaselineModel, BASELINES } from '#libs/evaluation';
import { UsageError } from '../cli-error.js';
import { LABELLED_COLUMNS, scoresOf } from './score-columns.js';

const PRODUCT = 'plumbline';
const PRODUCT_THRESHOLD = 0.5;

/** A column of scores of one series, and the threshold from which they are alarms. */
export interface ScoredColumn {
  threshold: number;
  scores: Float64Array;
}

/** A compared program: the product, with four columns of scores, or a baseline with one. */
export interface Contestant {
  model: string;
  /** Names of the columns, unique among all contestants. */
  columns: readonly string[];
  run(timestamps: Float64Array, values: Float64Array): ScoredColumn[];
}

/** Sets scores to 0 for some rows after each alarm, so that a lasting level alarms once, as a person would expect. */
export function muted(scores: Float64Array, threshold: number, rows: number): Float64Array {
  let quietUntil = -1;
  return scores.map((score, row) => {
    if (row <= quietUntil) return 0;
    if (score >= threshold) quietUntil = row + rows;
    return score;
  });
}

const product: Contestant = {
  model: PRODUCT,
  columns: LABELLED_COLUMNS.map((column) => `${PRODUCT} ${column}`),
  run(timestamps, values) {
    const scores = scoresOf(scoreSeries(timestamps, values, { type: 'gauge', timezone: 'UTC' }));
    return LABELLED_COLUMNS.map((column) => ({ threshold: PRODUCT_THRESHOLD, scores: scores[column] }));
  },
};

function baseline({ id, run }: BaselineModel, muteRows: number): Contestant {
  return {
    model: id,
    columns: [id],
    run(timestamps, values) {
      const { scores, threshold } = run(timestamps, values);
      return [{ threshold, scores: muteRows === 0 ? scores : muted(scores, threshold, muteRows) }];
    },
  };
}

/**
 * The named contestants in the order of the product's list, or all of them. `muteRows` applies to baselines; the
 * product mutes itself.
 */
export function contestants(models: string | undefined, muteRows: number): Contestant[] {
  const all = [product, ...BASELINES.map((model) => baseline(model, muteRows))];
  if (models === undefined) return all;
  const named = new Set(models.split(',').map((name) => name.trim()));
  const known = all.map(({ model }) => model);
  for (const name of named) {
    if (!known.includes(name)) throw new UsageError(`--models: there is no "${name}"; there are ${known.join(', ')}`);
  }
  return all.filter(({ model }) => named.has(model));
}
