export const SERIES_FUNCTIONS = ['avg', 'min', 'max', 'sum', 'last'] as const;
export type SeriesFunctionName = (typeof SERIES_FUNCTIONS)[number];

/** A query for a series. Times in Unix seconds, bounds inclusive. */
export interface TimeseriesRequest {
  from: number;
  until: number;
  /** Length of a point in seconds; default: the finest that fits `maxPoints`. */
  resolutionSeconds?: number;
  maxPoints: number;
  function: SeriesFunctionName;
  /** Include the smallest and largest value of each point. */
  envelope: boolean;
  /** Rates per second; the default for counters. */
  derivative?: boolean;
  /** Slots without data: as null, or omitted. */
  fill: 'null' | 'none';
}

/** Slot start in Unix seconds and value; null if there is no data. */
export type SeriesPoint = [timestamp: number, value: number | null];
