export {
  CHART_THEMES,
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
export { breakAtSilence, downsampleLine, downsampleRange } from './downsample.js';
export { renderHtml, renderMultiplesHtml } from './html.js';
export { matchChart, type ChartStretch, type MatchPicture } from './match-chart.js';
export { renderMultiplesSvg } from './multiples.js';
export { multiplesHeight, multiplesRows, type MultiplesChart, type MultiplesRow } from './multiples-chart.js';
export { metricChartOption, type MetricChartOption } from './option.js';
export { patternChart, type PatternPicture } from './pattern-chart.js';
export { renderPng, type PngOptions } from './png.js';
export { renderSvg } from './svg.js';
