import { Injectable } from '@nestjs/common';
import { OutgoingClient } from '../../../platform/outgoing/outgoing-client.service.js';
import { type SourceAnswer, type SourceDriver, type SourceQuery } from '../reading/driver.types.js';
import { asFailure, bodyOf } from '../reading/http-query.js';
import { parsePromqlAnswer, promqlReason } from './promql-answer.js';
import { promqlRequest } from './promql-request.js';

/** Prometheus, VictoriaMetrics, Thanos, Mimir. */
@Injectable()
export class PromqlDriver implements SourceDriver {
  constructor(private readonly outgoing: OutgoingClient) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const answer = await this.outgoing.send(promqlRequest(query)).catch((error: unknown) => {
      throw asFailure(error);
    });
    return parsePromqlAnswer(bodyOf(answer, promqlReason), query.window, query.limits);
  }
}
