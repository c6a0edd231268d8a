import { type AnomalyKind, type SeverityLabel } from '#libs/contracts';

/** Columns of one series. Times are Unix seconds, rising; NaN (or any value that is not finite) is a gap. */
export interface ChartSeries {
  /** Called so in the legend. */
  name: string;
  timestamps: ArrayLike<number>;
  values: ArrayLike<number>;
  /** Its colour; default `line`. */
  tone?: SeriesTone;
  /** Drawn dashed, to distinguish it from another line of the same tone. */
  dashed?: boolean;
}

/** `faint` is for the same hours of another day, behind the line that matters. */
export type SeriesTone = 'line' | 'anomaly' | 'match' | 'alert' | 'other' | 'faint';

/** Columns of the expected range. NaN if nothing was expected yet. */
export interface ChartExpectedRange {
  /** Called so in the legend; default `expected range`. */
  name?: string;
  timestamps: ArrayLike<number>;
  lower: ArrayLike<number>;
  upper: ArrayLike<number>;
  yhat: ArrayLike<number>;
}

/** A stretch of time that was found anomalous. Times in Unix seconds, `until` null while it is open. */
export interface ChartAnomaly {
  from: number;
  until: number | null;
  /** Written above its line where there is room; empty = no label. */
  label: string;
  kind: AnomalyKind;
  /** Chooses the colour and the mark at its top; without it there is one colour and no mark. */
  severity?: SeverityLabel;
}

/** A trained shape that was met again. */
export interface ChartMatch {
  /** Unix seconds: where it begins. */
  timestamp: number;
  /** Unix seconds: where it ends; a column is hatched up to there. Without it only the beginning is marked. */
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
/** A page follows the reader's system with `auto`. */
export type PageTheme = ChartTheme | 'auto';

/** One picture of a metric, or of counts: everything that is needed to draw it, and nothing that depends on where it is drawn. */
export interface MetricChart {
  /** Plain text; long titles are wrapped or cut. */
  title: string;
  /** Unit of the values as written on the axis; empty = none. */
  unit: string;
  /** IANA zone of all times written in the picture. */
  timezone: string;
  /** Left edge, Unix seconds. */
  from: number;
  /** Right edge, Unix seconds; later than `from`. */
  until: number;
  series: ChartSeries;
  /** More lines on the same axes; the legend has them all. */
  others?: readonly ChartSeries[];
  /** The values are counts: each holds until the next one begins, and the axis goes from zero in whole numbers. */
  counts?: boolean;
  /** True if the values are per-second rates of the unit: the axis then states it. */
  derivative?: boolean;
  expected?: ChartExpectedRange;
  anomalies: readonly ChartAnomaly[];
  matches: readonly ChartMatch[];
  /** Unix seconds: a thin line where now is, if that lies in the window. */
  now?: number;
  /** The value axis covers at least this range, instead of that of the values: for pictures that scroll. */
  valueRange?: { min: number; max: number };
  display: ChartDisplay;
  theme: ChartTheme;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Minimum width of the value axis next to the plot in pixels, so that plots of several charts are aligned. */
  valueGutter?: number;
  /** False: neither legend nor window in words, regardless of `display`. Default true. */
  hasHeader?: boolean;
}

/** Everything shown, axes below and right: the defaults of the graph endpoints. */
export const DEFAULT_CHART_DISPLAY: ChartDisplay = {
  xAxis: 'below',
  yAxis: 'right',
  legend: true,
  anomalies: true,
  matches: true,
  expectedRange: true,
};
