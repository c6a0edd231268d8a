import { type LabelPair } from '#libs/protocols';
import { AnswerCollector, jsonOf, memberOf, quoted } from '../reading/answer-collector.js';
import { SourceFailure } from '../reading/driver.errors.js';
import { type AnswerLimits, type ReadWindow, type SourceAnswer } from '../reading/driver.types.js';

const NO_RESULT = 'the answer is none of /query: does the address lead to an InfluxDB 1.x?';

const CUT_OFF = 'InfluxDB has cut the answer off (max-row-limit)';

/** The reason for a refusal, as the service reports it. */
export function influxqlReason(body: Buffer): string | null {
  try {
    const error = memberOf(JSON.parse(body.toString('utf8')), 'error');
    return typeof error === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** Every column with numbers is a series: `measurement_column`, or the measurement for `value`. @throws SourceFailure */
export function parseInfluxqlAnswer(body: Buffer, window: ReadWindow, limits: AnswerLimits): SourceAnswer {
  const results = memberOf(jsonOf(body), 'results');
  if (!Array.isArray(results)) throw new SourceFailure('refused', NO_RESULT);
  const collector = new AnswerCollector(window, limits, 'from');
  for (const result of results as unknown[]) {
    const error = memberOf(result, 'error');
    if (typeof error === 'string') throw new SourceFailure('refused', `it says: ${quoted(error)}`);
    const series = memberOf(result, 'series') ?? [];
    if (!Array.isArray(series)) throw new SourceFailure('refused', NO_RESULT);
    collector.expectSeries(series.length);
    for (const one of series as unknown[]) {
      // InfluxDB omitted rows beyond its own limit.
      if (memberOf(one, 'partial') === true) throw new SourceFailure('too_large', CUT_OFF);
      addSeries(collector, one);
    }
    if (memberOf(result, 'partial') === true) throw new SourceFailure('too_large', CUT_OFF);
  }
  return { series: collector.series, isPartial: false };
}

function addSeries(collector: AnswerCollector, series: unknown): void {
  const [name, columns, rows] = [memberOf(series, 'name'), memberOf(series, 'columns'), memberOf(series, 'values')];
  const timeAt = Array.isArray(columns) ? columns.indexOf('time') : -1;
  if (typeof name !== 'string' || !Array.isArray(columns) || !Array.isArray(rows) || timeAt < 0) {
    throw new SourceFailure('refused', NO_RESULT);
  }
  const labels = labelsOf(memberOf(series, 'tags') ?? {});
  for (const [at, column] of (columns as unknown[]).entries()) {
    if (typeof column !== 'string') throw new SourceFailure('refused', NO_RESULT);
    if (at === timeAt || !hasNumbers(rows, at)) continue;
    collector.add(column === 'value' ? name : `${name}_${column}`, labels, pairsOf(rows, timeAt, at));
  }
}

function labelsOf(tags: unknown): LabelPair[] {
  if (typeof tags !== 'object' || tags === null) throw new SourceFailure('refused', NO_RESULT);
  return Object.entries(tags).map(([key, value]: [string, unknown]): LabelPair => {
    if (typeof value !== 'string') throw new SourceFailure('refused', NO_RESULT);
    return [key, value];
  });
}

const hasNumbers = (rows: readonly unknown[], at: number): boolean =>
  rows.some((row) => Array.isArray(row) && isValue(row[at]));

const isValue = (value: unknown): value is number | boolean => typeof value === 'number' || typeof value === 'boolean';

function* pairsOf(rows: readonly unknown[], timeAt: number, at: number): Generator<readonly [number, number]> {
  for (const row of rows) {
    if (!Array.isArray(row) || typeof row[timeAt] !== 'number') throw new SourceFailure('refused', NO_RESULT);
    const value: unknown = row[at];
    yield [row[timeAt] / 1000, isValue(value) ? Number(value) : NaN];
  }
}
