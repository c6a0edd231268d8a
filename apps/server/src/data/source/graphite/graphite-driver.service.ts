import { Injectable } from '@nestjs/common';
import { OutgoingClient } from '../../../platform/outgoing/outgoing-client.service.js';
import { type SourceAnswer, type SourceDriver, type SourceQuery } from '../reading/driver.types.js';
import { asFailure, bodyOf } from '../reading/http-query.js';
import { parseGraphiteAnswer } from './graphite-answer.js';
import { graphiteRequest } from './graphite-request.js';

/** graphite-web and what speaks its render API. */
@Injectable()
export class GraphiteDriver implements SourceDriver {
  constructor(private readonly outgoing: OutgoingClient) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const answer = await this.outgoing.send(graphiteRequest(query)).catch((error: unknown) => {
      throw asFailure(error);
    });
    // Its errors are pages for people.
    return parseGraphiteAnswer(
      bodyOf(answer, () => null),
      query.window,
      query.limits,
    );
  }
}
