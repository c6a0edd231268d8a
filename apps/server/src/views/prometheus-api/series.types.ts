import { type DerivedName, type MetricType } from '#libs/contracts';

/** Data of a stored metric that is available without reading its points. */
export interface StoredSeriesRow {
  id: number;
  /** Canonical. */
  name: string;
  /** Name without labels. */
  displayName: string;
  labels: Record<string, string>;
  type: MetricType;
  /** Unix seconds of the first and newest slot. */
  firstTimestamp: number | null;
  lastTimestamp: number | null;
  lastValue: number | null;
  /** Seconds between points; null until there are two. */
  resolutionSeconds: number | null;
  /** True if the sender has ended the series. */
  hasEnded: boolean;
}

/** A series of an answer: a stored metric, or a series derived from it. */
export interface Series {
  row: StoredSeriesRow;
  /** Null: the stored values themselves. */
  derived: DerivedName | null;
}

/** Window of requested series, Unix seconds, both ends inclusive. */
export interface SeriesWindow {
  from: number;
  until: number;
}
