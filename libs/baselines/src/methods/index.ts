import { type BaselineModel } from './baseline-model.js';
import { EWMA } from './ewma.js';
import { HOLT_WINTERS } from './holt-winters.js';
import { ISOLATION_FOREST } from './isolation-forest.js';
import { MATRIX_PROFILE } from './matrix-profile.js';
import { RANDOM_CUT_FOREST } from './random-cut-forest.js';
import { ROBUST_DEVIATION } from './robust-deviation.js';
import { SEASONAL_PROFILE } from './seasonal-profile.js';
import { SIGMA_VOTE } from './sigma-vote.js';
import { SPECTRAL_RESIDUAL } from './spectral-residual.js';

export { type BaselineModel, type BaselineOptions, type BaselineVerdicts } from './baseline-model.js';

/** Published methods for comparison with the product's detector, simplest first. */
export const BASELINES: readonly BaselineModel[] = [
  EWMA,
  ROBUST_DEVIATION,
  SIGMA_VOTE,
  SEASONAL_PROFILE,
  HOLT_WINTERS,
  SPECTRAL_RESIDUAL,
  ISOLATION_FOREST,
  RANDOM_CUT_FOREST,
  MATRIX_PROFILE,
];
