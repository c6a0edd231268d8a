import { Injectable } from '@nestjs/common';
import { type LabelPair } from '#libs/protocols';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { AnswerCollector, jsonOf, memberOf, quoted } from '../reading/answer-collector.js';
import { SourceFailure } from '../reading/driver.errors.js';
import {
  type AnswerLimits,
  type ReadWindow,
  type SourceAnswer,
  type SourceDriver,
  type SourceQuery,
} from '../reading/driver.types.js';
import { asFailure, below, bodyOf, formRequest } from '../reading/http-query.js';
import { type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';
import { piecesOf, type Placeholder } from '../reading/placeholders.js';

const NO_RESULT = 'the answer is not one of /query: does the address lead to an InfluxDB 1.x?';

const CUT_OFF = 'InfluxDB has cut the answer off (max-row-limit)';

/** InfluxDB 1.x. */
@Injectable()
export class InfluxqlDriverService implements SourceDriver {
  constructor(private readonly outgoing: OutgoingClientService) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const answer = await this.outgoing.send(influxqlRequest(query)).catch((error: unknown) => {
      throw asFailure(error);
    });
    return parseInfluxqlAnswer(bodyOf(answer, influxqlReason), query.window, query.limits);
  }
}

/** `/query` of InfluxDB 1.x. GROUP BY tags come as the tags of series. */
export function influxqlRequest(query: SourceQuery): OutgoingRequest {
  const { settings, window } = query;
  return formRequest(query, below(settings.url, '/query', { epoch: 'ms' }), {
    q: influxqlOf(settings.query, window),
  });
}

/** The query for a window. `GROUP BY time()` names a slot by its beginning: `time >= :from AND time < :until` gives whole slots. */
export function influxqlOf(query: string, { from, until, stepSeconds }: ReadWindow): string {
  const values: Readonly<Record<Placeholder, string>> = {
    from: `${String(from)}000000000`,
    until: `${String(until)}000000000`,
    from_seconds: `${String(from)}s`,
    until_seconds: `${String(until)}s`,
    interval: `${String(stepSeconds)}s`,
  };
  return piecesOf(query)
    .map((piece) => (typeof piece === 'string' ? piece : values[piece.placeholder]))
    .join('');
}

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
