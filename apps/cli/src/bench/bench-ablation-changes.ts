import { averaged, withoutStart, type WindowedSeries } from './harder-series.js';

/** A way to change a series that should change little of what is found in it. */
export interface SeriesChange {
  name: string;
  change(series: WindowedSeries): WindowedSeries;
}

const CLOCK_SECONDS = 7 * 3600 + 13 * 60;

function valuesBy(name: string, of: (value: number) => number): SeriesChange {
  return { name, change: (series) => ({ ...series, values: series.values.map(of) }) };
}

/** The series as it is first; then less history, coarser sampling, other units, sign and clock. */
export const SERIES_CHANGES: readonly SeriesChange[] = [
  { name: 'as it is', change: (series) => series },
  { name: 'first 8 % cut', change: (series) => withoutStart(series, 0.08) },
  { name: '2:1 averaged', change: (series) => averaged(series, 2) },
  valuesBy('x * 1000 + 50000', (value) => value * 1000 + 50_000),
  valuesBy('x * 0.0001', (value) => value * 1e-4),
  valuesBy('-x', (value) => -value),
  {
    name: 'clock + 7 h 13 min',
    change: (series) => ({ ...series, timestamps: series.timestamps.map((timestamp) => timestamp + CLOCK_SECONDS) }),
  },
];
