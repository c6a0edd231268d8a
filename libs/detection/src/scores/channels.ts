import { PART_NAMES, RARE_DEVIATION, RARE_RECENT, RARE_STEP } from './parts.js';
import { S } from './score-record.js';

const { max, min, round } = Math;

/**
 * The three scores, from one pass over the parts. Labels follow different conventions: `novelty` means "never seen
 * before", `spike` means "different from the expected next value", and `score` combines both. Anomalies open by other
 * rules (judge.ts). Weights and levels are the same for every series; `plumbline bench ablation` measures the
 * contribution of each.
 */

/** Evidence at which a channel alarms: a score of 0.5. */
export const NOVELTY_LEVEL = 1.95;
export const SPIKE_LEVEL = 3.33;
export const SCORE_LEVEL = 7;

/** Weights of the parts, in their order. Of the rarity parts, only the largest counts for the score. */
export const NOVELTY_WEIGHTS: readonly number[] = [1, 0.5, 0.5, 0, 0, 0, 0.5];
export const SCORE_WEIGHTS: readonly number[] = [2.4, 0, 1.6, 0, 0, 0, 0.3];
export const RAREST_WEIGHT = 1.3;
export const SPIKE_WEIGHT = 0.6;
/** Number of rows for which novelty is suppressed after an alarm: this share of the history, up to a maximum. */
const NOVELTY_QUIET_SHARE = 0.03;
const NOVELTY_QUIET_MOST = 100;
/** Number of rows, and time, for which the score is suppressed: one event is one alarm. */
const SCORE_QUIET_MOST = 20;
const SCORE_QUIET_LEAST = 3;
const SCORE_QUIET_SECONDS = 10_800;
/** While its channel is suppressed, a score above this is compressed into the range below 0.5. */
const QUIET_FROM = 0.49;

export function noveltyEvidence(parts: Float64Array): number {
  return weighed(parts, NOVELTY_WEIGHTS);
}

/**
 * `stepSize`, `recentSize`: 0..1, how far the step and the distance from the recent mean exceed chance
 * (measurement.ts).
 */
export function spikeEvidence(parts: Float64Array, stepSize: number, recentSize: number): number {
  return max(parts[RARE_STEP]! * stepSize, parts[RARE_RECENT]! * recentSize);
}

export function scoreEvidence(parts: Float64Array, spike: number): number {
  const rarest = max(parts[RARE_STEP]!, parts[RARE_RECENT]!, parts[RARE_DEVIATION]!);
  return weighed(parts, SCORE_WEIGHTS) + RAREST_WEIGHT * rarest + SPIKE_WEIGHT * spike;
}

function weighed(parts: Float64Array, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < PART_NAMES.length; i++) sum += weights[i]! * parts[i]!;
  return sum;
}

/** A score while its channel is suppressed: the order stays, and every score is below an alarm. */
export function quietened(score: number): number {
  return score < QUIET_FROM ? score : QUIET_FROM + (0.5 - QUIET_FROM) * 0.99 * score;
}

/** Number of rows for which novelty is suppressed after an alarm. `rows`: number of rows before the alarm. */
export function noveltyQuietRows(rows: number): number {
  return min(NOVELTY_QUIET_MOST, round(NOVELTY_QUIET_SHARE * rows));
}

/** Number of rows for which the score is suppressed after an alarm. `resolution`: seconds between rows. */
export function scoreQuietRows(resolution: number): number {
  return max(SCORE_QUIET_LEAST, min(SCORE_QUIET_MOST, round(SCORE_QUIET_SECONDS / resolution)));
}

/** The reported novelty, suppressed for a time after an alarm. `rows`: number of rows before. */
export function reportedNovelty(f: Float64Array, score: number, rows: number): number {
  return suppressed(f, S.noveltyMuted, score, noveltyQuietRows(rows));
}

/** The reported score, suppressed for a few rows after an alarm. */
export function reportedScore(f: Float64Array, score: number, resolution: number): number {
  return suppressed(f, S.scoreMuted, score, scoreQuietRows(resolution));
}

/** `muted`: the scalar that counts the rows that are still suppressed. */
function suppressed(f: Float64Array, muted: number, score: number, quietRows: number): number {
  if (f[muted]! > 0) {
    f[muted] = f[muted]! - 1;
    return quietened(score);
  }
  if (score >= 0.5) f[muted] = quietRows;
  return score;
}
