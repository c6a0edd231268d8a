import { readCookie, SESSION_COOKIE } from '../http/answer.js';
import { SUBSCRIPTION_KEY_BASE } from '../http/api-paths.js';
import { contextOf, type EdgeRequest, type SessionSource } from '../http/request-context.js';

/**
 * The session id in a request, valid or not. Of header, parameter and cookie the first one counts; the others are not
 * tried.
 */
export function presentedSession(request: EdgeRequest): { id: string; source: SessionSource } | undefined {
  const header = text(request.get('x-session-id'));
  if (header !== undefined) return { id: header, source: 'header' };
  const parameter = text(request.query.session_id) ?? text(members(request.body)?.session_id);
  if (parameter !== undefined) return { id: parameter, source: 'parameter' };
  const cookie = readCookie(request, SESSION_COOKIE);
  return cookie === undefined ? undefined : { id: cookie, source: 'cookie' };
}

/** The token in a request to the API; ingest paths accept it in other places. */
export function presentedToken(request: EdgeRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  return text(request.get('x-auth-token')) ?? bearer ?? subscriptionKey(request) ?? bodyToken(request);
}

/** The key in the form of clients of the retired service. */
function subscriptionKey(request: EdgeRequest): string | undefined {
  return request.path.startsWith(SUBSCRIPTION_KEY_BASE) ? text(request.get('ocp-apim-subscription-key')) : undefined;
}

/** The token in the head of a request, in the forms of other products: also as the password of Basic. */
export function headerToken(request: Pick<EdgeRequest, 'get'>): string | undefined {
  return text(request.get('x-auth-token')) ?? authorizationToken(request.get('authorization'));
}

/** The token of `Authorization`, with Bearer, Token, or as the password of Basic. */
function authorizationToken(header: string | undefined): string | undefined {
  const [, scheme, rest] = /^\s*(bearer|token|basic)\s+(\S+)\s*$/i.exec(header ?? '') ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  if (scheme.toLowerCase() !== 'basic') return rest;
  const pair = Buffer.from(rest, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : text(pair.slice(colon + 1));
}

/** True if the body, once read, can change the caller of the request. */
export function isDecidedByBody(request: EdgeRequest): boolean {
  const { sessionSource, isSigned } = contextOf(request).credential;
  if (isSigned) return Object.keys(members(request.body) ?? {}).length > 0;
  if (sessionSource === 'header' || sessionSource === 'parameter') return false;
  return text(members(request.body)?.session_id) !== undefined || bodyToken(request) !== undefined;
}

/** A body of type text/plain is JSON too: it is read on the one route that accepts it. */
const JSON_TYPES = ['application/json', 'text/plain'];

/** `{"data": {"token": "…"}}` of a JSON POST. */
function bodyToken(request: EdgeRequest): string | undefined {
  if (request.method !== 'POST' || !request.is(JSON_TYPES)) return undefined;
  return text(members(members(request.body)?.data)?.token);
}

function members(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** The trimmed text, or undefined if it is not a text or empty. */
function text(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed === '' ? undefined : trimmed;
}
