/** One series with labels per row and the scores of a detector. */
export interface LabelledSeries {
  /** One per row; NaN is never an alarm. */
  scores: Float64Array;
  /** One per row; other than 0 is anomalous. */
  labels: Uint8Array;
  pace: SeriesPace;
}

/** Tolerances in rows, which depend on the interval between rows. */
export interface SeriesPace {
  /** Alarm rows at most this far apart are one alarm. */
  mergeRows: number;
  /** An alarm this many rows after the end of an event still belongs to it. */
  toleranceRows: number;
  /** Maximum number of rows at the start that are not judged: two days of minutes, a week of hours. */
  mostWarmUpRows: number;
  /** Longest window of VUS-PR. */
  vusRows: number;
}

/** For rows that are minutes apart. */
export const MINUTE_PACE: SeriesPace = { mergeRows: 10, toleranceRows: 3, mostWarmUpRows: 2880, vusRows: 20 };
/** For rows that are an hour apart. */
export const HOURLY_PACE: SeriesPace = { mergeRows: 3, toleranceRows: 1, mostWarmUpRows: 168, vusRows: 6 };

/** From this interval on, rows count as hourly, seconds. */
const HOURLY_FROM_SECONDS = 1800;
/** Maximum share of the warm-up in a short series. */
const WARM_UP_SHARE = 0.15;

/** The tolerances for a series with this usual interval, seconds. */
export function paceOf(intervalSeconds: number): SeriesPace {
  return intervalSeconds >= HOURLY_FROM_SECONDS ? HOURLY_PACE : MINUTE_PACE;
}

/** Number of rows at the start that are not judged: no detector knows the series yet. */
export function warmUpRows(rows: number, pace: SeriesPace): number {
  return Math.min(pace.mostWarmUpRows, Math.floor(WARM_UP_SHARE * rows));
}

/** The judged part of a series. */
export function withoutWarmUp({ scores, labels, pace }: LabelledSeries): LabelledSeries {
  if (scores.length !== labels.length) throw new RangeError(`${scores.length} scores but ${labels.length} labels`);
  const from = warmUpRows(scores.length, pace);
  return { scores: scores.subarray(from), labels: labels.subarray(from), pace };
}
