/** One series with labels per row and the scores a detector gave it. */
export interface LabelledSeries {
  /** One per row; NaN is never an alarm. */
  scores: Float64Array;
  /** One per row; other than 0 is anomalous. */
  labels: Uint8Array;
  pace: SeriesPace;
}

/** How many rows a person's patience is, which depends on how far apart they are. */
export interface SeriesPace {
  /** Alarm rows at most this far apart are one alarm. */
  mergeRows: number;
  /** An alarm this many rows after the end of an event still belongs to it. */
  toleranceRows: number;
  /** Most rows at the start that are not judged: two days of minutes, a week of hours. */
  mostWarmUpRows: number;
  /** Longest window of VUS-PR. */
  vusRows: number;
}

/** Rows minutes apart. */
export const MINUTE_PACE: SeriesPace = { mergeRows: 10, toleranceRows: 3, mostWarmUpRows: 2880, vusRows: 20 };
/** Rows an hour apart. */
export const HOURLY_PACE: SeriesPace = { mergeRows: 3, toleranceRows: 1, mostWarmUpRows: 168, vusRows: 6 };

/** Rows at least this far apart are hourly ones, seconds. */
const HOURLY_FROM_SECONDS = 1800;
/** A short series gives at most this share to the warm-up. */
const WARM_UP_SHARE = 0.15;

/** The pace that suits the usual interval of a series, seconds. */
export function paceOf(intervalSeconds: number): SeriesPace {
  return intervalSeconds >= HOURLY_FROM_SECONDS ? HOURLY_PACE : MINUTE_PACE;
}

/** Rows at the start that are not judged: no detector knows the series yet. */
export function warmUpRows(rows: number, pace: SeriesPace): number {
  return Math.min(pace.mostWarmUpRows, Math.floor(WARM_UP_SHARE * rows));
}

/** The judged part of a series. */
export function withoutWarmUp({ scores, labels, pace }: LabelledSeries): LabelledSeries {
  if (scores.length !== labels.length) throw new RangeError(`${scores.length} scores but ${labels.length} labels`);
  const from = warmUpRows(scores.length, pace);
  return { scores: scores.subarray(from), labels: labels.subarray(from), pace };
}
