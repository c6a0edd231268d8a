import { Injectable } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { Clock } from '../clock.js';
import { readCookie, SESSION_COOKIE } from '../http/answer.js';
import { type CredentialFindings, type EdgeRequest, type SessionSource } from '../http/request-context.js';
import { type Caller, CredentialDirectory } from './caller.js';
import { SignatureInvalidError, SignedUrlExpiredError, UrlSignature } from './url-signature.js';

const SESSION_ID = /^[0-9a-f]{32}$/;
const MAX_TOKEN_LENGTH = 200;

export interface Identification {
  caller: Caller;
  findings: CredentialFindings;
}

const ANONYMOUS: Caller = { kind: 'anonymous' };

/**
 * Finds out who calls. A session comes first (header, then parameter, then cookie: the first one present is used and
 * the others are not tried); a token counts only when there is no valid user session.
 */
@Injectable()
export class Credentials {
  constructor(
    private readonly directory: CredentialDirectory,
    private readonly signature: UrlSignature,
    private readonly clock: Clock,
  ) {}

  async identify(request: EdgeRequest): Promise<Identification> {
    const session = presentedSession(request);
    const foundSession =
      session === undefined || !SESSION_ID.test(session.id) ? 'unknown' : await this.directory.findSession(session.id);
    if (typeof foundSession === 'object') {
      return { caller: foundSession, findings: { sessionSource: session?.source, isSigned: false } };
    }
    const token = presentedToken(request);
    const foundToken =
      token === undefined || token.length > MAX_TOKEN_LENGTH ? 'unknown' : await this.directory.findToken(token);
    if (typeof foundToken === 'object') return { caller: foundToken, findings: { isSigned: false } };
    if (foundSession === 'ended') return refused('session_expired');
    return refused(foundToken === 'expired' ? 'token_expired' : 'not_authenticated');
  }

  /** The reader of a signed address: a caller with nothing but `read` in the organisation that the address names. */
  async identifySigned(request: EdgeRequest): Promise<Identification> {
    const url = new URL(request.originalUrl, 'http://localhost');
    // What is not in the address is not signed.
    if (Object.keys((request.body ?? {}) as object).length > 0) return refused('signature_invalid');
    try {
      const orgId = this.signature.verify(url.pathname.replace(/(.)\/$/, '$1'), url.searchParams, this.clock.now());
      const org = await this.directory.findOrg(orgId);
      if (org === 'unknown') return refused('signature_invalid');
      const caller: Caller = { kind: 'token', org, permissions: Permission.Read, tokenRef: 0 };
      return { caller, findings: { isSigned: true } };
    } catch (error) {
      if (error instanceof SignedUrlExpiredError) return refused('signature_expired');
      if (error instanceof SignatureInvalidError) return refused('signature_invalid');
      throw error;
    }
  }
}

function refused(fault: CredentialFindings['fault']): Identification {
  return { caller: ANONYMOUS, findings: { fault, isSigned: false } };
}

/** The session id that a request presents, whatever it is good for. */
export function presentedSession(request: EdgeRequest): { id: string; source: SessionSource } | undefined {
  const header = text(request.get('x-session-id'));
  if (header !== undefined) return { id: header, source: 'header' };
  const parameter = text(request.query.session_id) ?? text(members(request.body)?.session_id);
  if (parameter !== undefined) return { id: parameter, source: 'parameter' };
  const cookie = readCookie(request, SESSION_COOKIE);
  return cookie === undefined ? undefined : { id: cookie, source: 'cookie' };
}

function presentedToken(request: EdgeRequest): string | undefined {
  const bearer = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  return text(request.get('x-auth-token')) ?? bearer ?? bodyToken(request);
}

/** `{"data": {"token": "…"}}` of a JSON POST. */
function bodyToken(request: EdgeRequest): string | undefined {
  if (request.method !== 'POST' || request.is('application/json') !== 'application/json') return undefined;
  return text(members(members(request.body)?.data)?.token);
}

function members(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** The trimmed text, or undefined when it is none or empty. */
function text(value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : '';
  return trimmed === '' ? undefined : trimmed;
}
