import { type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';
import { type SourceQuery } from '../reading/driver.types.js';
import { below, formRequest } from '../reading/http-query.js';

/**
 * The render API. `from` is exclusive there for some readers and inclusive for others; what lies outside of the window is
 * left out when the answer is read.
 */
export function graphiteRequest(query: SourceQuery): OutgoingRequest {
  const { settings, window } = query;
  return formRequest(query, below(settings.url, '/render'), {
    target: settings.query,
    from: String(window.from),
    // Some finders leave the last slot out.
    until: String(window.until + window.stepSeconds),
    format: 'json',
    noNullPoints: 'true',
    // A cached answer may lack what has come since.
    noCache: 'true',
  });
}
