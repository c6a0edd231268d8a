import { type Request } from 'express';
import { headerToken } from '../../common/auth/credentials.js';

/**
 * The token of an ingest request, of the first place that holds one: X-Auth-Token, Authorization (Bearer, Token, or the
 * password of Basic), the header `key`, the JSON member `key`, and on the paths of InfluxDB 1 the
 * query parameter `p`.
 */
export function presentedToken(request: Request, jsonKey: string | null): string | undefined {
  return earlyToken(request) ?? nonEmpty(jsonKey) ?? queryToken(request);
}

/** The token in the head of an ingest request, which is known before the body: also in the header `key`. */
export function earlyToken(request: Request): string | undefined {
  return headerToken(request) ?? nonEmpty(request.get('key'));
}

function queryToken(request: Request): string | undefined {
  if (request.path !== '/write' && request.path !== '/query') return undefined;
  const { p } = request.query;
  return typeof p === 'string' ? nonEmpty(p) : undefined;
}

function nonEmpty(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' ? undefined : trimmed;
}
