export const SERIES_FUNCTIONS = ['avg', 'min', 'max', 'sum', 'last'] as const;
export type SeriesFunctionName = (typeof SERIES_FUNCTIONS)[number];

/** What is asked of a series. Times in Unix seconds, bounds inclusive. */
export interface TimeseriesRequest {
  from: number;
  until: number;
  /** Length of a point in seconds; the finest that fits `maxPoints` when left out. */
  resolutionSeconds?: number;
  maxPoints: number;
  function: SeriesFunctionName;
  /** Also the smallest and largest value of each point. */
  envelope: boolean;
  /** Per-second rates; for counters when left out. */
  derivative?: boolean;
  /** Slots without data: as null, or not at all. */
  fill: 'null' | 'none';
}

/** Slot start in Unix seconds and value; null where there is no data. */
export type SeriesPoint = [timestamp: number, value: number | null];
