import { type AnomalyKind, type SeverityLabel } from '#libs/contracts';

/** Columns of one series. Times are Unix seconds, ascending; NaN (or any value that is not finite) is a gap. */
export interface ChartSeries {
  /** Name in the legend. */
  name: string;
  timestamps: ArrayLike<number>;
  values: ArrayLike<number>;
  /** Its colour; default `line`. */
  tone?: SeriesTone;
  /** Drawn dashed, to distinguish it from another line of the same tone. */
  dashed?: boolean;
}

/** `faint` is for the same hours of another day, behind the main line. */
export type SeriesTone = 'line' | 'anomaly' | 'match' | 'alert' | 'other' | 'faint';

/** Columns of the expected range. NaN if nothing was expected yet. */
export interface ChartExpectedRange {
  /** Name in the legend; default `expected range`. */
  name?: string;
  timestamps: ArrayLike<number>;
  lower: ArrayLike<number>;
  upper: ArrayLike<number>;
  yhat: ArrayLike<number>;
}

/** An anomalous stretch of time. Times in Unix seconds, `until` null while it is open. */
export interface ChartAnomaly {
  from: number;
  until: number | null;
  /** Written above its line if there is space; empty = no label. */
  label: string;
  kind: AnomalyKind;
  /** Selects the colour and the mark at its top; if omitted, there is one colour and no mark. */
  severity?: SeverityLabel;
}

/** A trained shape that has occurred again. */
export interface ChartMatch {
  /** Start, Unix seconds. */
  timestamp: number;
  /** End, Unix seconds: a column is hatched until then. If omitted, only the start is marked. */
  until?: number;
  label: string;
}

/** The drawn elements; the names are those of the display parameters of the graph endpoints. */
export interface ChartDisplay {
  xAxis: 'none' | 'above' | 'below';
  yAxis: 'none' | 'left' | 'right';
  legend: boolean;
  anomalies: boolean;
  matches: boolean;
  expectedRange: boolean;
}

export const CHART_THEMES = ['light', 'dark'] as const;
export type ChartTheme = (typeof CHART_THEMES)[number];
/** With `auto`, a page follows the system of the reader. */
export type PageTheme = ChartTheme | 'auto';

/** One picture of a metric, or of counts: everything that is needed to draw it, independent of where it is drawn. */
export interface MetricChart {
  /** Plain text; long titles are wrapped or truncated. */
  title: string;
  /** Unit of the values on the axis; empty = none. */
  unit: string;
  /** IANA zone of all times in the picture. */
  timezone: string;
  /** Left edge, Unix seconds. */
  from: number;
  /** Right edge, Unix seconds; later than `from`. */
  until: number;
  series: ChartSeries;
  /** More lines on the same axes; the legend has them all. */
  others?: readonly ChartSeries[];
  /** The values are counts: each applies until the next one, and the axis starts at zero and has whole numbers. */
  counts?: boolean;
  /** True if the values are per-second rates of the unit: the axis then states it. */
  derivative?: boolean;
  expected?: ChartExpectedRange;
  anomalies: readonly ChartAnomaly[];
  matches: readonly ChartMatch[];
  /** Unix seconds: a thin line at the current time, if it is in the window. */
  now?: number;
  /** The value axis covers at least this range, instead of that of the values: for scrolling pictures. */
  valueRange?: { min: number; max: number };
  display: ChartDisplay;
  theme: ChartTheme;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Minimum width of the value axis next to the plot in pixels, so that plots of several charts are aligned. */
  valueGutter?: number;
  /** False: neither the legend nor the text of the window, regardless of `display`. Default true. */
  hasHeader?: boolean;
}

/** Shows everything, with the axes below and on the right: the defaults of the graph endpoints. */
export const DEFAULT_CHART_DISPLAY: ChartDisplay = {
  xAxis: 'below',
  yAxis: 'right',
  legend: true,
  anomalies: true,
  matches: true,
  expectedRange: true,
};
