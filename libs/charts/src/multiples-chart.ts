import { TEXT_LINE_HEIGHT, TITLE_LINE_HEIGHT } from './layout.js';
import { type ChartAnomaly, type ChartExpectedRange, type ChartSeries, type ChartTheme } from './metric-chart.js';

/** One of several metrics that are shown below each other. */
export interface MultiplesRow {
  title: string;
  unit: string;
  series: ChartSeries;
  derivative?: boolean;
  expected?: ChartExpectedRange;
  anomalies: readonly ChartAnomaly[];
}

/** Several metrics below each other on one time axis, such as those of an incident; the most important one first. */
export interface MultiplesChart {
  /** Plain text; truncated if it is too long. */
  title: string;
  /** IANA zone of all times in the picture. */
  timezone: string;
  /** Unix seconds; `until` later than `from`. */
  from: number;
  until: number;
  rows: readonly MultiplesRow[];
  /** Number of further metrics that are not among the rows; stated as a text. */
  more?: number;
  theme: ChartTheme;
  /** Pixels. */
  width: number;
  height: number;
}

export const PADDING = 12;
/** Minimum height of a readable row, pixels; rows without space are counted in a text. */
export const MIN_ROW_HEIGHT = 64;
export const AXIS_HEIGHT = 28;
export const HEADER_GAP = 6;

export const HEADER_HEIGHT = PADDING + TITLE_LINE_HEIGHT + TEXT_LINE_HEIGHT + HEADER_GAP;
/** Height of an easily readable row, pixels. */
const USUAL_ROW_HEIGHT = 88;

/** Height for this many easily readable rows, pixels. */
export const multiplesHeight = (rows: number): number =>
  HEADER_HEIGHT + Math.max(1, rows) * USUAL_ROW_HEIGHT + AXIS_HEIGHT;

/** Number of rows that fit into this many pixels; at least one. */
export const multiplesRows = (height: number): number =>
  Math.max(1, Math.floor((height - HEADER_HEIGHT - AXIS_HEIGHT) / MIN_ROW_HEIGHT));
