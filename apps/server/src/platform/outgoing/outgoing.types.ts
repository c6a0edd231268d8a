import { readRetryAfter } from '#libs/protocols';
export interface OutgoingRequest {
  /** http or https, without login. */
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** For everything together: name, connection, answer with its body. Default 10,000. */
  timeoutMs?: number;
  /** Longest body of an answer. Default 65,536. */
  maxBytes?: number;
}

/** Whatever the other side answered: a redirect is an answer too, and is not followed. */
export interface OutgoingAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

export const isTaken = ({ status }: OutgoingAnswer): boolean => status >= 200 && status < 300;
export const isRedirect = ({ status }: OutgoingAnswer): boolean => status >= 300 && status < 400;

const LONGEST_WAIT_SECONDS = 86_400;

/** What the header Retry-After asks for, in seconds, at most a day; null when it says nothing. `now` in Unix seconds. */
export function retryAfterOf({ headers }: OutgoingAnswer, now: number): number | null {
  const text = headers['retry-after'];
  const seconds = typeof text === 'string' ? readRetryAfter(text, now) : null;
  return seconds === null ? null : Math.min(Math.ceil(seconds), LONGEST_WAIT_SECONDS);
}
