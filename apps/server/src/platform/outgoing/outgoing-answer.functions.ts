import { readRetryAfter } from '#libs/protocols';
import { type OutgoingAnswer } from './outgoing.types.js';

export const isTaken = ({ status }: OutgoingAnswer): boolean => status >= 200 && status < 300;

export const isRedirect = ({ status }: OutgoingAnswer): boolean => status >= 300 && status < 400;

const LONGEST_WAIT_SECONDS = 86_400;

/** What the header Retry-After asks for, in seconds, at most a day; null when it says nothing. `now` in Unix seconds. */
export function retryAfterOf({ headers }: OutgoingAnswer, now: number): number | null {
  const text = headers['retry-after'];
  const seconds = typeof text === 'string' ? readRetryAfter(text, now) : null;
  return seconds === null ? null : Math.min(Math.ceil(seconds), LONGEST_WAIT_SECONDS);
}
