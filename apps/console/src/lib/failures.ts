import { ApiError } from './api';
import { signal } from './signal';

/** No server answered, or only a proxy: only previously loaded data is available. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 ||
    error.status === 502 ||
    error.status === 504 ||
    (error.status === 503 && error.code !== 'not_configured'));

/** Answers 401 that concern the sent data, such as a wrong password, and not the session. */
const NOT_ABOUT_SESSIONS: readonly string[] = ['login_failed', 'code_invalid', 'signature_invalid'];

/** The session has ended. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && !NOT_ABOUT_SESSIONS.includes(error.code);

/** Errors that may not occur in a retry: there was no answer, or the server requests a later retry. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

/** Counts requests that no server answered: the follower of the event stream checks whether it is still open. */
export const unreachableCount = signal(0);
