/** The interface for browsers: everything up to the option object, without the renderers of the server. */
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
export { breakAtSilence, rowsWithin } from './downsample.js';
export { layoutChart, type ChartLayout } from './layout.js';
export { metricChartOption, type MetricChartOption } from './option.js';
export { PALETTES, type Palette } from './palette.js';
