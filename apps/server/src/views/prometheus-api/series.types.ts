import { type MetricType } from '#libs/contracts';

/** Series that Plumbline derives of each metric. */
export const DERIVED = {
  plumbline_expected: 'Expected value of a metric; of counters the expected rate per second.',
  plumbline_expected_lower: 'Lower edge of the expected range.',
  plumbline_expected_upper: 'Upper edge of the expected range.',
  plumbline_score: 'How unusual the value is, 0 to 1.',
  plumbline_anomalous: '1 while an anomaly of the metric is open, else 0.',
} as const;

export type DerivedName = keyof typeof DERIVED;

export const DERIVED_NAMES = Object.keys(DERIVED) as DerivedName[];

export function isDerivedName(name: string): name is DerivedName {
  return name in DERIVED;
}

/** What is known of a stored metric without reading its points. */
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
  /** Seconds between points; null until two have come. */
  resolutionSeconds: number | null;
  /** The sender has said that the series is over. */
  hasEnded: boolean;
}

/** A series of an answer: a stored metric, or what is derived of it. */
export interface Series {
  row: StoredSeriesRow;
  /** Null: the stored values themselves. */
  derived: DerivedName | null;
}

/** Series of the moment or window, Unix seconds, both inclusive. */
export interface SeriesWindow {
  from: number;
  until: number;
}

/** The label by which every metric is found; the derived series carry it. */
export const METRIC_LABEL = 'metric';
/** Where a derived series has a label of its metric that is called `metric` too. */
export const EXPORTED_METRIC_LABEL = 'exported_metric';
