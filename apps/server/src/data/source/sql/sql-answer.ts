import { type LabelPair, TimeReader } from '#libs/protocols';
import { AnswerCollector } from '../reading/answer-collector.js';
import { SourceFailure } from '../reading/driver.errors.js';
import { type AnswerLimits, type ReadWindow, type SourceAnswer } from '../reading/driver.types.js';

/** Rows of a query as texts. */
export interface SqlTable {
  columns: readonly string[];
  rows: readonly (readonly (string | null)[])[];
}

const DECIMAL = /^[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,3})?$/;
const TIMES = new TimeReader({ timezone: 'UTC', format: null });
const LONGEST_NUMBER = 100;

/**
 * Columns `time`, `value`, and `metric` for the name; all others are labels.
 * @param isPresent the query contains no window: a row without time gets the end of the window
 * @throws SourceFailure
 */
export function seriesOfTable(
  { columns, rows }: SqlTable,
  window: ReadWindow,
  limits: AnswerLimits,
  isPresent: boolean,
): SourceAnswer {
  const names = columns.map((column) => column.toLowerCase());
  const [timeAt, valueAt, metricAt] = [names.indexOf('time'), names.indexOf('value'), names.indexOf('metric')];
  if (valueAt < 0) throw new SourceFailure('refused', 'the query must give a column named value');
  if (timeAt < 0 && !isPresent) throw new SourceFailure('refused', 'the query must give a column named time');
  const labelsAt = columns.flatMap((name, at) =>
    [timeAt, valueAt, metricAt].includes(at) ? [] : [[name, at] as const],
  );

  const collector = new AnswerCollector(window, limits, isPresent ? 'until' : 'from');
  const found = new Map<string, { name: string | null; labels: LabelPair[]; points: [number, number][] }>();
  for (const row of rows) {
    const key = JSON.stringify([metricAt < 0 ? null : row[metricAt], ...labelsAt.map(([, at]) => row[at])]);
    let series = found.get(key);
    if (series === undefined) {
      collector.expectSeries(found.size + 1);
      const labels = labelsAt.map(([name, at]): LabelPair => [name, row[at] ?? '']);
      series = { name: metricAt < 0 ? null : (row[metricAt] ?? null), labels, points: [] };
      found.set(key, series);
    }
    const timestamp = isPresent ? window.until : timeOf(row[timeAt] ?? '');
    if (timestamp === null) throw new SourceFailure('refused', 'the column time must contain times or Unix seconds');
    series.points.push([timestamp, valueOf(row[valueAt] ?? null)]);
  }
  for (const { name, labels, points } of found.values()) collector.add(name, labels, points);
  return { series: collector.series, isPartial: false };
}

/** NaN if it is not a number; the point is then omitted. */
function valueOf(text: string | null): number {
  if (text === null || text.length > LONGEST_NUMBER) return NaN;
  const plain = text.trim();
  if (plain === 't' || plain === 'true') return 1;
  if (plain === 'f' || plain === 'false') return 0;
  return DECIMAL.test(plain) ? Number(plain) : NaN;
}

/** Unix seconds of a number by its size, or of a date without zone in UTC; null for anything else. */
function timeOf(text: string): number | null {
  const bytes = Buffer.from(text);
  const seconds = TIMES.read(bytes, 0, bytes.length);
  return Number.isNaN(seconds) ? null : seconds;
}
