import { type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';
import { type ReadWindow, type SourceQuery } from '../reading/driver.types.js';
import { below, formRequest } from '../reading/http-query.js';
import { piecesOf, type Placeholder } from '../reading/placeholders.js';

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
