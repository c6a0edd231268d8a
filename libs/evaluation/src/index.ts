export {
  anomaliesByScore,
  type BaselineModel,
  type BaselineOptions,
  BASELINES,
  type BaselineVerdicts,
  NAB_PROFILES,
  type NabProfile,
  type NabScore,
  type NabSeries,
  type RowRange,
  scoreNab,
} from '#libs/baselines';
export {
  ABLATION_CHANNELS,
  type AblationChannel,
  type ChannelVariant,
  NOVELTY_CHOICES,
} from './ablation/ablation-channels.js';
export { chooseHeldOut } from './ablation/ablation-choice.js';
export { type EvidenceRows, evidenceRows } from './ablation/ablation-evidence.js';
export {
  eventsByLevel,
  LEVEL_FACTORS,
  type LevelFigure,
  levelFigure,
  nabByLevel,
  nabFigure,
  nabScoreOf,
} from './ablation/ablation-figures.js';
export { runTrial } from './behaviour/run.js';
export { SCENES } from './behaviour/scenes.js';
export { figureOf, figureText, goalText, isReached, notesOf } from './behaviour/tally.js';
export { type NoiseFigures, noiseFigures } from './noise/noise-figures.js';
export {
  NOISE_LEARNT_DAYS,
  type NoiseContestant,
  noisePair,
  type NoiseTrial,
  runNoiseTrial,
} from './noise/noise-trial.js';
export {
  runSpecialTrial,
  specialCase,
  type SpecialFigures,
  specialFigures,
  type SpecialTrial,
} from './noise/special-trial.js';
export { type EventScore, scoreEvents } from './scoring/event-score.js';
export { sweepEvents } from './scoring/event-sweep.js';
export { scoreExpectedRange } from './scoring/expected-range-score.js';
export { type PooledRange, poolRangeScores, type RangeScore } from './scoring/interval-score.js';
export { type LabelledFigures, labelledFigures } from './scoring/labelled-figures.js';
export { type LabelledSeries, paceOf, type SeriesPace, withoutWarmUp } from './scoring/labelled-series.js';
export { type NabFigures, nabFigures } from './scoring/nab-figures.js';
export { crossValidateNab, sweepNab } from './scoring/nab-sweep.js';
export { labelledNormalRows, nabNormalRows } from './scoring/normal-rows.js';
export { areaUnderPr } from './scoring/pr-area.js';
export { volumeUnderPr } from './scoring/vus-pr.js';
