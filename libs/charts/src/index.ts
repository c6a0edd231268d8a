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
  type SeriesTone,
} from './metric-chart.js';
export { breakAtSilence, downsampleLine, downsampleRange } from './downsample.js';
export { renderHtml, renderMultiplesHtml, type PageTheme } from './html.js';
export { matchChart, type ChartStretch, type MatchPicture } from './match-chart.js';
export {
  multiplesHeight,
  multiplesRows,
  renderMultiplesSvg,
  type MultiplesChart,
  type MultiplesRow,
} from './multiples.js';
export { metricChartOption, type MetricChartOption } from './option.js';
export { patternChart, type PatternPicture } from './pattern-chart.js';
export { renderPng, type PngOptions } from './png.js';
export { renderSvg } from './svg.js';
