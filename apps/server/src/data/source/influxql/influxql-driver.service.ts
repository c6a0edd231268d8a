import { Injectable } from '@nestjs/common';
import { OutgoingClient } from '../../../platform/outgoing/outgoing-client.service.js';
import { type SourceAnswer, type SourceDriver, type SourceQuery } from '../reading/driver.types.js';
import { asFailure, bodyOf } from '../reading/http-query.js';
import { influxqlReason, parseInfluxqlAnswer } from './influxql-answer.js';
import { influxqlRequest } from './influxql-request.js';

/** InfluxDB 1.x. */
@Injectable()
export class InfluxqlDriver implements SourceDriver {
  constructor(private readonly outgoing: OutgoingClient) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const answer = await this.outgoing.send(influxqlRequest(query)).catch((error: unknown) => {
      throw asFailure(error);
    });
    return parseInfluxqlAnswer(bodyOf(answer, influxqlReason), query.window, query.limits);
  }
}
