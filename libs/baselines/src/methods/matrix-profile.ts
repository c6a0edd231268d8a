import { type BaselineModel } from './baseline-model.js';
import { defineBaseline, EVEN, type RowScorer, scoreOf } from './define-baseline.js';
import { ExponentialMoments } from './exponential-moments.js';
import { LeftProfile } from './left-profile.js';
import { NoiseLevel } from './noise-level.js';

const { max, sqrt } = Math;

const SUBSEQUENCE_ROWS = 32;
const HISTORY_ROWS = 8192;
/** Number of rows with whose distances the latest distance is compared. */
const USUAL_ROWS = 4000;
/** Number of distances that are needed before the first verdict. */
const MIN_DISTANCES = 128;
const ALARM_DEVIATIONS = 4;

class DiscordScorer implements RowScorer {
  private readonly profile = new LeftProfile(SUBSEQUENCE_ROWS, HISTORY_ROWS);
  private readonly noise = new NoiseLevel();
  private readonly usual = new ExponentialMoments(1 / USUAL_ROWS);

  next(_timestamp: number, value: number): number {
    const { noise, profile, usual } = this;
    noise.learn(value);
    const distance = profile.add(value);
    if (Number.isNaN(distance)) return 0;
    // The distance of two runs of the same shape that noise alone causes.
    const expected = (2 + 2 * SUBSEQUENCE_ROWS) * (noise.deviation / profile.deviation) ** 2;
    const shapeDistance = sqrt(max(0, distance * distance - expected));
    const { mean, deviation, count } = usual;
    usual.learn(shapeDistance);
    return count < MIN_DISTANCES ? 0 : scoreOf((shapeDistance - mean) / deviation, ALARM_DEVIATIONS);
  }
}

/**
 * Left discord: distance of the latest 32 values, whatever their level and size, from the nearest earlier run within
 * 8,192 rows; without the contribution of noise; in standard deviations from the usual distances of the series. Detects
 * changes of shape, not of level. O(history) per row. Source: Yeh et al. (2016), "Matrix Profile I", and Lu et al.
 * (2022), "Matrix Profile XXIV" (DAMP), for discords found to the left; De Paepe, Janssens & Van Hoecke (2019),
 * "Eliminating Noise in the Matrix Profile", for the correction.
 */
export const MATRIX_PROFILE: BaselineModel = defineBaseline({
  id: 'matrix_profile',
  name: 'Matrix profile',
  description: 'Looks for the shape of the latest values in the past; alarms when nothing there is like it.',
  source: 'Yeh et al. (2016), Matrix Profile I; Lu et al. (2022), Matrix Profile XXIV (DAMP)',
  minimumPoints: 2 * SUBSEQUENCE_ROWS + MIN_DISTANCES,
  speed: 'slow',
  threshold: EVEN,
  hasRange: false,
  start: () => new DiscordScorer(),
});
