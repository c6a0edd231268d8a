import {
  breakAtSilence,
  DEFAULT_CHART_DISPLAY,
  renderHtml,
  renderPng,
  renderSvg,
  type ChartTheme,
  type MetricChart,
} from '#libs/charts';
import { UsageError } from '../cli-error.js';
import { kindLabel } from './anomaly-report.js';
import { type CsvSeries } from '../csv/read-series-csv.js';
import { type Detection, isInTime } from './run-detection.js';

export interface PlotOptions {
  title: string;
  valueName: string;
  theme: ChartTheme;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
}

const FORMATS = ['png', 'svg', 'html'] as const;
export type PlotFormat = (typeof FORMATS)[number];

/** Pixels of a PNG per pixel of the layout: sharp on high-density screens and in documents. */
const PNG_SCALE = 2;

/** The picture format for a file name. */
export function plotFormatOf(file: string): PlotFormat {
  const format = FORMATS.find((ending) => file.toLowerCase().endsWith(`.${ending}`));
  if (!format) throw new UsageError(`--plot ${file}: the name must end in .png, .svg or .html`);
  return format;
}

/** The picture: all rows that are in order of time; late rows are omitted, because the detector has omitted them. */
function detectionChart(series: CsvSeries, detection: Detection, options: PlotOptions): MetricChart {
  const { verdicts, type } = detection;
  const wasInTime = isInTime(series.timestamps);
  const inTime = (column: Float64Array): Float64Array => column.filter((_, row) => wasInTime(row));
  const { timestamps, columns } = breakAtSilence(inTime(series.timestamps), {
    values: inTime(type === 'gauge' ? series.values : verdicts.values),
    yhat: inTime(verdicts.yhat),
    lower: inTime(verdicts.lower),
    upper: inTime(verdicts.upper),
  });
  return {
    title: options.title,
    unit: '',
    derivative: type !== 'gauge',
    timezone: detection.timezone,
    from: detection.from,
    // A single moment has no width that could be drawn.
    until: Math.max(detection.until, detection.from + 1),
    series: { name: options.valueName, timestamps, values: columns.values },
    expected: { timestamps, yhat: columns.yhat, lower: columns.lower, upper: columns.upper },
    anomalies: detection.anomalies.map(({ startTimestamp, endTimestamp, kind }) => ({
      from: startTimestamp,
      until: endTimestamp,
      label: kindLabel(kind),
      kind,
    })),
    matches: [],
    display: DEFAULT_CHART_DISPLAY,
    theme: options.theme,
    width: options.width,
    height: options.height,
  };
}

/** The bytes of the picture file. */
export function drawDetection(
  series: CsvSeries,
  detection: Detection,
  format: PlotFormat,
  options: PlotOptions,
): Uint8Array | string {
  const chart = detectionChart(series, detection, options);
  if (format === 'png') return renderPng(chart, { scale: PNG_SCALE });
  return format === 'svg' ? renderSvg(chart) : renderHtml(chart);
}
