import { TEXT_LINE_HEIGHT, TITLE_LINE_HEIGHT } from './layout.js';
import { type ChartAnomaly, type ChartExpectedRange, type ChartSeries, type ChartTheme } from './metric-chart.js';

/** One metric of several that are shown below each other. */
export interface MultiplesRow {
  title: string;
  unit: string;
  series: ChartSeries;
  derivative?: boolean;
  expected?: ChartExpectedRange;
  anomalies: readonly ChartAnomaly[];
}

/** Several metrics below each other on one time axis, as of an incident; the most important one first. */
export interface MultiplesChart {
  /** Plain text; cut where it is too long. */
  title: string;
  /** IANA zone of all times written in the picture. */
  timezone: string;
  /** Unix seconds; `until` later than `from`. */
  from: number;
  until: number;
  rows: readonly MultiplesRow[];
  /** Further metrics that are not among the rows; they are counted in words. */
  more?: number;
  theme: ChartTheme;
  /** Pixels. */
  width: number;
  height: number;
}

export const PADDING = 12;
/** A row needs so many pixels to be read; rows without room are counted in words. */
export const MIN_ROW_HEIGHT = 64;
export const AXIS_HEIGHT = 28;
export const HEADER_GAP = 6;

export const HEADER_HEIGHT = PADDING + TITLE_LINE_HEIGHT + TEXT_LINE_HEIGHT + HEADER_GAP;
/** A row that is easy to read. */
const USUAL_ROW_HEIGHT = 88;

/** Pixels that so many rows need to be read with ease. */
export const multiplesHeight = (rows: number): number =>
  HEADER_HEIGHT + Math.max(1, rows) * USUAL_ROW_HEIGHT + AXIS_HEIGHT;

/** Rows that fit into so many pixels; at least one. */
export const multiplesRows = (height: number): number =>
  Math.max(1, Math.floor((height - HEADER_HEIGHT - AXIS_HEIGHT) / MIN_ROW_HEIGHT));
