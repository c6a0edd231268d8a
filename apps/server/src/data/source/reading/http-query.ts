import { isRedirect, isTaken } from '../../../platform/outgoing/outgoing-answer.functions.js';
import { OutgoingError } from '../../../platform/outgoing/outgoing.errors.js';
import { type OutgoingAnswer, type OutgoingRequest } from '../../../platform/outgoing/outgoing.types.js';
import { type SourceSecrets } from '../source.types.js';
import { quoted } from './answer-collector.js';
import { SourceFailure } from './driver.errors.js';
import { type SourceQuery } from './driver.types.js';

/** Longest answer in bytes: 10,000 series with long label sets and one point each. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** A path below the address of a source, whose own parameters are kept. */
export function below(url: string, path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const target = new URL(url);
  target.pathname = `${target.pathname.replace(/\/$/, '')}${path}`;
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
}

/** Headers of every request to a source; configured headers take precedence. */
export function credentialsOf(
  username: string,
  { password, headers }: SourceSecrets,
): Readonly<Record<string, string>> {
  if (username === '' && password === '') return headers;
  const basic = Buffer.from(`${username}:${password}`).toString('base64');
  return { Authorization: `Basic ${basic}`, ...headers };
}

/** A form for a source, with its credentials. */
export function formRequest(
  { settings, secrets, signal }: SourceQuery,
  url: string,
  form: Readonly<Record<string, string>> | null,
): OutgoingRequest {
  const { username, timeoutSeconds } = settings;
  return {
    url,
    method: form === null ? 'GET' : 'POST',
    headers: {
      Accept: 'application/json',
      ...(form === null ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...credentialsOf(username, secrets),
    },
    ...(form === null ? {} : { body: new URLSearchParams(form).toString() }),
    ...(signal === undefined ? {} : { signal }),
    timeoutMs: timeoutSeconds * 1000,
    maxBytes: MAX_ANSWER_BYTES,
  };
}

/**
 * The body of a successful answer.
 * @param says extracts the reason for a refusal from the body, if it has one
 * @throws SourceFailure
 */
export function bodyOf(answer: OutgoingAnswer, says: (body: Buffer) => string | null): Buffer {
  if (isTaken(answer)) return answer.body;
  const status = String(answer.status);
  if (isRedirect(answer)) {
    throw new SourceFailure('refused', `it answers ${status} with another address; give that one as the url`);
  }
  const reason = says(answer.body);
  const hint = answer.status === 401 || answer.status === 403 ? ': are the credentials right?' : '';
  throw new SourceFailure('refused', `it answers ${status}${reason === null ? hint : `: ${quoted(reason)}`}`);
}

/** Converts connection errors to errors of a read; a forbidden address keeps its own error. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof OutgoingError) || error.failure === 'address_not_allowed') return error;
  return new SourceFailure(error.failure === 'too_large' ? 'too_large' : 'unreachable', error.message);
}
