export { anomaliesByScore } from './anomalies-by-score.js';
export { type BaselineModel, type BaselineOptions, BASELINES, type BaselineVerdicts } from './methods/index.js';
export { NAB_PROFILES, type NabProfile } from './nab/nab-profile.js';
export { nabProbationRows, type NabRows, nabRows, type NabSeries } from './nab/nab-rows.js';
export { normaliseNab, type NabScore, scoreNab, tallyNab } from './nab/nab-score.js';
export { labelledRanges, type RowRange } from './nab/row-range.js';
