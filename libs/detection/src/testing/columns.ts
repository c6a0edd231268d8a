import { type ScoredVerdicts } from '../scores/score-series.js';
import { type AnomalyEvent, type SeriesVerdicts } from '../types.js';
import { type Rows } from './generators.js';

const SCORES = ['novelty', 'spike', 'score'] as const;
const NUMBERS = ['values', 'yhat', 'lower', 'upper', 'alarm', 'anomalous', 'kind', ...SCORES] as const;

/** Verdicts, with scores if the run computed them. */
type Verdicts = SeriesVerdicts & Partial<Pick<ScoredVerdicts, (typeof SCORES)[number]>>;

/** Rows [0, end) of a series. */
export function firstRows({ timestamps, values }: Rows, end: number): Rows {
  return { timestamps: timestamps.slice(0, end), values: values.slice(0, end) };
}

/**
 * The first difference between the verdicts of the start of a series and those of the whole series, bit for bit;
 * undefined if there is none.
 */
export function differenceFromWhole(part: Verdicts, whole: Verdicts): string | undefined {
  for (const column of NUMBERS) {
    for (let row = 0; row < part.alarm.length; row++) {
      if (!Object.is(part[column]?.[row], whole[column]?.[row])) return `${column} of row ${row}`;
    }
  }
  return differenceOfEvents(part.anomalies, whole.anomalies.slice(0, part.anomalies.length));
}

/** The first difference between two lists of events, in any member except `backfill`; undefined if there is none. */
export function differenceOfEvents(some: readonly AnomalyEvent[], others: readonly AnomalyEvent[]): string | undefined {
  if (some.length !== others.length) return `${some.length} events and ${others.length}`;
  const text = (event: AnomalyEvent): string => JSON.stringify({ ...event, backfill: false });
  const at = some.findIndex((event, index) => text(event) !== text(others[index]!));
  return at === -1 ? undefined : `event ${at}`;
}

/** The first invalid number in the verdicts of finite rows from `fromRow` on; undefined if there is none. */
export function unsoundIn(rows: Rows, verdicts: Verdicts, fromRow: number): string | undefined {
  const { yhat, lower, upper } = verdicts;
  let newest = -Infinity;
  for (let row = 0; row < rows.values.length; row++) {
    for (const column of ['alarm', ...SCORES] as const) {
      const score = verdicts[column]?.[row] ?? 0;
      if (!(score >= 0 && score <= 1)) return `${column} ${score}`;
    }
    if (!(Number.isFinite(rows.values[row]!) && rows.timestamps[row]! > newest)) continue;
    newest = rows.timestamps[row]!;
    if (row < fromRow) continue;
    const range = [lower[row]!, yhat[row]!, upper[row]!];
    if (!range.every(Number.isFinite)) return `range ${range.join(' ')}`;
    if (!(range[0]! <= range[1]! && range[1]! <= range[2]!)) return `range out of order`;
  }
  return undefined;
}
