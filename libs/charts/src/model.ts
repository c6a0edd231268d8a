/** The interface for threads that define a chart and let another thread draw it: it loads no renderer. */
export { breakAtSilence } from './downsample.js';
export {
  DEFAULT_CHART_DISPLAY,
  type ChartAnomaly,
  type ChartDisplay,
  type ChartExpectedRange,
  type ChartMatch,
  type ChartSeries,
  type ChartTheme,
  type MetricChart,
  type PageTheme,
  type SeriesTone,
} from './metric-chart.js';
export { matchChart, type ChartStretch, type MatchPicture } from './match-chart.js';
export { multiplesHeight, multiplesRows, type MultiplesChart, type MultiplesRow } from './multiples-chart.js';
export { patternChart, type PatternPicture } from './pattern-chart.js';
