import { type AnalysisVariables } from '../../apps/server/src/people/org/org.types.js';

/** The values of a new organisation. */
export const DEFAULT_ANALYSIS_VARIABLES: AnalysisVariables = {
  retention1ResolutionSeconds: 60,
  retention1PeriodSeconds: 604_800,
  retention2ResolutionSeconds: 600,
  retention2PeriodSeconds: 63_072_000,
  defaultDataFrequencySeconds: 60,
  defaultAnalysisPeriod1Seconds: 86_400,
  defaultAnalysisPeriod2Seconds: 604_800,
  longTermPatternLengthSeconds: 2_592_000,
  metricLimit: null,
};
