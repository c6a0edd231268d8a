import { randomBytes } from 'node:crypto';
import { type Request } from 'express';
import { type AnswerHead, readCookie } from '../../common/http/answer.js';
import { SSO_LOGIN_SECONDS } from './sso-attempts.service.js';

const COOKIE = 'sso_browser';
const FORM = /^[\w-]{43}$/;

/** The secret of a browser that has a login under way; undefined when it has none. */
export function browserSecret(request: Request): string | undefined {
  const value = readCookie(request, COOKIE);
  return value !== undefined && FORM.test(value) ? value : undefined;
}

/** Gives the browser a secret for the time of a login. One that has some keeps it: other tabs may be at it too. */
export function keepBrowserSecret(request: Request, head: AnswerHead): string {
  const secret = browserSecret(request) ?? randomBytes(32).toString('base64url');
  head.setBrowserCookie(COOKIE, secret, SSO_LOGIN_SECONDS);
  return secret;
}
