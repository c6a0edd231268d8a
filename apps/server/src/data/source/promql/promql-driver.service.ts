import { DERIVED_NAMES } from '#libs/contracts';
import { Injectable } from '@nestjs/common';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type SourceAnswer, type SourceDriver, type SourceQuery } from '../reading/driver.types.js';
import { asFailure, bodyOf, below, formRequest } from '../reading/http-query.js';
import { parsePromqlAnswer, promqlReason } from './promql-answer.js';
import { type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';

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
