import { Injectable } from '@nestjs/common';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type SourceAnswer, type SourceDriver, type SourceQuery, type ReadWindow } from '../reading/driver.types.js';
import { asFailure, bodyOf, below, formRequest } from '../reading/http-query.js';
import { influxqlReason, parseInfluxqlAnswer } from './influxql-answer.js';
import { type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';
import { piecesOf, type Placeholder } from '../reading/placeholders.js';

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
