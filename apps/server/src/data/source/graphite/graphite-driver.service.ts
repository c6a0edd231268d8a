import { Injectable } from '@nestjs/common';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type SourceAnswer, type SourceDriver, type SourceQuery } from '../reading/driver.types.js';
import { asFailure, bodyOf, below, formRequest } from '../reading/http-query.js';
import { parseGraphiteAnswer } from './graphite-answer.js';
import { type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';

/** graphite-web and other servers with its render API. */
@Injectable()
export class GraphiteDriverService implements SourceDriver {
  constructor(private readonly outgoing: OutgoingClientService) {}

  async read(query: SourceQuery): Promise<SourceAnswer> {
    const answer = await this.outgoing.send(graphiteRequest(query)).catch((error: unknown) => {
      throw asFailure(error);
    });
    // Its errors are HTML pages.
    return parseGraphiteAnswer(
      bodyOf(answer, () => null),
      query.window,
      query.limits,
    );
  }
}

/**
 * The render API. `from` is exclusive there for some readers and inclusive for others; points outside of the window are
 * dropped when the answer is read.
 */
export function graphiteRequest(query: SourceQuery): OutgoingRequest {
  const { settings, window } = query;
  return formRequest(query, below(settings.url, '/render'), {
    target: settings.query,
    from: String(window.from),
    // Some finders omit the last slot.
    until: String(window.until + window.stepSeconds),
    format: 'json',
    noNullPoints: 'true',
    // A cached answer may lack newer points.
    noCache: 'true',
  });
}
