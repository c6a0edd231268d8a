import { type Request } from 'express';
import { authorizationToken } from '../../common/auth/credentials.js';

/**
 * The token of an ingest request, of the first place that holds one: X-Auth-Token, Authorization (Bearer, Token, or the
 * password of Basic), the header `key`, the JSON member `key`, and on the paths of InfluxDB 1 the
 * query parameter `p`.
 */
export function presentedToken(request: Request, jsonKey: string | null): string | undefined {
  return headerToken(request) ?? nonEmpty(jsonKey) ?? queryToken(request);
}

/** Whether the token can be told without the body. */
export function headerToken(request: Request): string | undefined {
  return (
    nonEmpty(request.get('x-auth-token')) ??
    authorizationToken(request.get('authorization')) ??
    nonEmpty(request.get('key'))
  );
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
