import { DERIVED_NAMES, isDerivedName } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { type LabelPair } from '#libs/protocols';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { AnswerCollector, jsonOf, memberOf } from '../reading/answer-collector.js';
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

const NO_MATRIX = 'the answer is not one of query_range: does the address lead to a Prometheus-compatible API?';

const NOT_DERIVED = `{__name__!~"${DERIVED_NAMES.join('|')}"}`;

/** Prometheus, VictoriaMetrics, Thanos, Mimir. */
@Injectable()
export class PromqlDriverService implements SourceDriver {
  constructor(private readonly outgoing: OutgoingClientService) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const answer = await this.outgoing.send(promqlRequest(query)).catch((error: unknown) => {
      throw asFailure(error);
    });
    return parsePromqlAnswer(bodyOf(answer, promqlReason), query.window, query.limits);
  }
}

/** `query_range` of the API that Prometheus, VictoriaMetrics, Thanos and Mimir have in common. */
export function promqlRequest(query: SourceQuery): OutgoingRequest {
  const { settings, window } = query;
  return formRequest(query, below(settings.url, '/api/v1/query_range'), {
    query: settings.query,
    start: String(window.from + window.stepSeconds),
    end: String(window.until),
    step: String(window.stepSeconds),
    timeout: `${String(settings.timeoutSeconds)}s`,
    // An answer that lacks the data of one part of the store would cause a permanent gap; an error is retried (Thanos,
    // VictoriaMetrics).
    partial_response: 'false',
    deny_partial_response: '1',
    // VictoriaMetrics would answer from its cache, without late samples.
    nocache: '1',
    // Sums of VictoriaMetrics would include series that are written back; the others know no such parameter.
    ...(settings.writeBack ? { 'extra_filters[]': NOT_DERIVED } : {}),
  });
}

/** The reason for a refusal, as the service reports it. */
export function promqlReason(body: Buffer): string | null {
  try {
    const error = memberOf(JSON.parse(body.toString('utf8')), 'error');
    return typeof error === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** @throws SourceFailure */
export function parsePromqlAnswer(body: Buffer, window: ReadWindow, limits: AnswerLimits): SourceAnswer {
  const answer = jsonOf(body);
  const data = memberOf(answer, 'data');
  const result = memberOf(data, 'result');
  if (memberOf(answer, 'status') !== 'success' || memberOf(data, 'resultType') !== 'matrix' || !Array.isArray(result)) {
    throw new SourceFailure('refused', NO_MATRIX);
  }
  const series = (result as unknown[]).filter((one) => !isDerived(one));
  const collector = new AnswerCollector(window, limits);
  collector.expectSeries(series.length);
  for (const one of series) {
    const { name, labels } = nameOf(memberOf(one, 'metric'));
    const values = memberOf(one, 'values');
    // A series with native histograms alone has no values.
    if (values === undefined) continue;
    if (!Array.isArray(values)) throw new SourceFailure('refused', NO_MATRIX);
    collector.add(name, labels, pairsOf(values));
  }
  const warnings = memberOf(answer, 'warnings');
  const isPartial = memberOf(answer, 'isPartial') === true || (Array.isArray(warnings) && warnings.length > 0);
  return { series: collector.series, isPartial };
}

/** Series that Plumbline has written back, or served to a Prometheus that federates it, are not analysed. */
function isDerived(one: unknown): boolean {
  const name = memberOf(memberOf(one, 'metric'), '__name__');
  return typeof name === 'string' && isDerivedName(name);
}

function nameOf(metric: unknown): { name: string | null; labels: LabelPair[] } {
  if (typeof metric !== 'object' || metric === null) throw new SourceFailure('refused', NO_MATRIX);
  let name: string | null = null;
  const labels: LabelPair[] = [];
  for (const [key, value] of Object.entries(metric)) {
    if (typeof value !== 'string') throw new SourceFailure('refused', NO_MATRIX);
    if (key === '__name__') name = value;
    else labels.push([key, value]);
  }
  return { name: name === '' ? null : name, labels };
}

function* pairsOf(values: readonly unknown[]): Generator<readonly [number, number]> {
  for (const pair of values) {
    if (!Array.isArray(pair) || typeof pair[0] !== 'number' || typeof pair[1] !== 'string') {
      throw new SourceFailure('refused', NO_MATRIX);
    }
    // NaN and the infinities are spelt so that no number comes of them, or one that is omitted.
    yield [pair[0], pair[1].length > 64 || pair[1].trim() === '' ? NaN : Number(pair[1])];
  }
}
