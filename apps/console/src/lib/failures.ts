import { ApiError } from './api';
import { signal } from './signal';

/** No server answered, or only a proxy: only data loaded before is available. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 ||
    error.status === 502 ||
    error.status === 504 ||
    (error.status === 503 && error.code !== 'not_configured'));

/** Answers 401 that are about what was sent, such as a wrong password, and not about who asks. */
const NOT_ABOUT_SESSIONS: readonly string[] = ['login_failed', 'code_invalid', 'signature_invalid'];

/** The session has ended. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && !NOT_ABOUT_SESSIONS.includes(error.code);

/** Errors that another try may not meet: no answer, or the server asks for patience. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;

/** Counts requests that no server answered: who follows the event stream looks whether it is still there. */
export const unreachableCount = signal(0);
