import { readRetryAfter } from '#libs/protocols';
import { type OutgoingAnswer } from './outgoing.types.js';

export const isTaken = ({ status }: OutgoingAnswer): boolean => status >= 200 && status < 300;

export const isRedirect = ({ status }: OutgoingAnswer): boolean => status >= 300 && status < 400;

const LONGEST_WAIT_SECONDS = 86_400;

/**
 * The delay that the header Retry-After requests, in seconds, at most a day; null if it is missing or invalid. `now` in
 * Unix seconds.
 */
export function retryAfterOf({ headers }: OutgoingAnswer, now: number): number | null {
  const text = headers['retry-after'];
  const seconds = typeof text === 'string' ? readRetryAfter(text, now) : null;
  return seconds === null ? null : Math.min(Math.ceil(seconds), LONGEST_WAIT_SECONDS);
}
