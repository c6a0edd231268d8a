import { detectSeries, type DetectSeriesOptions, type SeriesVerdicts } from '#libs/detection';
import { DAY, type Rows, unsoundIn } from '#libs/detection/testing';
import { intervalScore, RANGE_ALPHA } from '../scoring/interval-score.js';
import { type Outcome, yes } from './cell.js';

/** Number of rows in which the range may still be missing. */
const WARM_UP_ROWS = 200;

/** A stored series with its verdicts. */
export interface Watched {
  rows: Rows;
  verdicts: SeriesVerdicts;
}

export function watch(rows: Rows, options: Partial<DetectSeriesOptions> = {}): Watched {
  return { rows, verdicts: detectSeries(rows.timestamps, rows.values, { type: 'gauge', ...options }) };
}

/** Timestamp this many days after the first row. */
export function dayOf({ rows }: Watched, day: number): number {
  return rows.timestamps[0]! + day * DAY;
}

/** Number of anomalies opened in [from, until), Unix seconds, per day. */
function openedBetween({ verdicts }: Watched, from: number, until: number): Outcome {
  const opened = verdicts.anomalies.filter(
    ({ type, startTimestamp }) => type === 'opened' && startTimestamp >= from && startTimestamp < until,
  );
  const kinds = [...new Set(opened.map(({ kind }) => kind))].sort().join(' ');
  return { hits: opened.length, of: (until - from) / DAY, ...(kinds === '' ? {} : { note: kinds }) };
}

/** The same, by days after the first row. */
export function openedInDays(watched: Watched, fromDay: number, untilDay: number): Outcome {
  return openedBetween(watched, dayOf(watched, fromDay), dayOf(watched, untilDay));
}

/** No storm: at most one anomaly opened in [from, until). */
export function calmBetween(watched: Watched, from: number, until: number, most = 1): Outcome {
  const { hits, note } = openedBetween(watched, from, until);
  return yes(hits <= most, `${hits} opened: ${note}`);
}

/** Number of values from a day on that are in the expected range, out of those that have one. */
export function insideRange({ rows, verdicts }: Watched, fromDay: number, untilDay = Infinity): Outcome {
  const { values, lower, upper } = verdicts;
  const from = rows.timestamps[0]! + fromDay * DAY;
  const until = rows.timestamps[0]! + untilDay * DAY;
  let hits = 0;
  let of = 0;
  for (let row = 0; row < values.length; row++) {
    if (rows.timestamps[row]! < from || rows.timestamps[row]! >= until || !Number.isFinite(lower[row]!)) continue;
    of++;
    if (values[row]! >= lower[row]! && values[row]! <= upper[row]!) hits++;
  }
  return { hits, of };
}

/**
 * Sum of the interval scores of the expected range after `learntDays`, divided by that of a seasonal-naive forecast:
 * the value a season ago, with the quantiles of its errors in those days as its range.
 */
export function againstSeasonalNaive({ rows, verdicts }: Watched, learntDays: number, seasonSeconds: number): Outcome {
  const { timestamps, values } = rows;
  const step = timestamps[1]! - timestamps[0]!;
  const season = Math.round(seasonSeconds / step);
  const learnt = Math.round((learntDays * DAY) / step);
  const errors = values.slice(season, learnt).map((value, row) => value - values[row]!);
  errors.sort();
  const below = quantile(errors, RANGE_ALPHA / 2);
  const above = quantile(errors, 1 - RANGE_ALPHA / 2);
  const outcome = { hits: 0, of: 0 };
  for (let row = learnt; row < values.length; row++) {
    const ago = values[row - season]!;
    outcome.hits += intervalScore(values[row]!, verdicts.lower[row]!, verdicts.upper[row]!, RANGE_ALPHA);
    outcome.of += intervalScore(values[row]!, ago + below, ago + above, RANGE_ALPHA);
  }
  return outcome;
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))]!;
}

/** All numbers of the verdicts are valid and within their bounds. */
export function soundNumbers({ rows, verdicts }: Watched): Outcome {
  const trouble = unsoundIn(rows, verdicts, WARM_UP_ROWS);
  return yes(trouble === undefined, trouble);
}
