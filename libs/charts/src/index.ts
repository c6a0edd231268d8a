export * from './model.js';
export { downsampleLine, downsampleRange } from './downsample.js';
export { renderHtml, renderMultiplesHtml } from './html.js';
export { CHART_THEMES } from './metric-chart.js';
export { renderMultiplesSvg } from './multiples.js';
export { metricChartOption, type MetricChartOption } from './option.js';
export { renderPng, type PngOptions } from './png.js';
export { renderSvg } from './svg.js';
