import { seedOf } from '../hash-noise.js';
import { Draw } from './draw.js';
import { QUIET_KINDS, type QuietKind } from './quiet-kinds.js';

/** First timestamp of quiet series: Wednesday, 1 January 2025, 00:00 UTC. */
export const QUIET_START = 1_735_689_600;
const DAY_SECONDS = 86_400;

/** A series as columns of equal length; timestamps in Unix seconds. */
export interface QuietSeries {
  timestamps: Float64Array;
  values: Float64Array;
}

/**
 * A series of a kind without any trouble, starting at QUIET_START. `stepSeconds` is a multiple of a minute: a row is
 * the mean of its minutes, or their sum for counts.
 */
export function quietSeries(kind: QuietKind, seed: number, days: number, stepSeconds = 60): QuietSeries {
  const model = QUIET_KINDS[kind](new Draw(seedOf(seed, kind)));
  const perRow = Math.round(stepSeconds / 60);
  const rows = Math.floor((days * DAY_SECONDS) / stepSeconds);
  const isCount = kind === 'counts' || kind === 'sparse_errors';
  const timestamps = new Float64Array(rows);
  const values = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let i = 0; i < perRow; i++) sum += model(row * perRow + i);
    timestamps[row] = QUIET_START + row * stepSeconds;
    values[row] = isCount ? sum : sum / perRow;
  }
  return { timestamps, values };
}
