import { isRedirect, isTaken, retryAfterOf } from '../../platform/outgoing/outgoing-answer.functions.js';
import { type ChannelMessage } from '../channel/channel.types.js';
import { ChannelError } from '../channel/channel.errors.js';
import { OutgoingError } from '../../platform/outgoing/outgoing.errors.js';
import { type OutgoingClientService } from '../../platform/outgoing/outgoing-client.service.js';
import { type OutgoingAnswer, type OutgoingRequest } from '../../platform/outgoing/outgoing.types.js';

/** The meaning of a status other than 2xx: `later` unless a service defines another one. */
export type StatusMeaning = (answer: OutgoingAnswer) => ChannelError['kind'];

/** For services that answer 400 to a message that they will never accept. */
export const neverAfter400: StatusMeaning = ({ status }) => (status === 400 ? 'never' : 'later');

export const JSON_HEADERS = { 'Content-Type': 'application/json' } as const;

/** The value of the header Authorization. */
export const basicAuthorization = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/**
 * Sends a request for a channel, and throws an error with its meaning if the answer is not 2xx.
 * @param now Unix seconds
 * @throws ChannelError
 */
export async function deliver(
  outgoing: OutgoingClientService,
  request: OutgoingRequest,
  { meaning, now }: { meaning: StatusMeaning; now: number },
): Promise<OutgoingAnswer> {
  const answer = await outgoing.send(request).catch((error: unknown) => {
    throw error instanceof OutgoingError ? new ChannelError('later', error.message) : error;
  });
  if (isTaken(answer)) return answer;
  const reason = isRedirect(answer)
    ? `it redirects (HTTP status ${String(answer.status)}), which is not followed`
    : `HTTP status ${String(answer.status)}`;
  throw new ChannelError(meaning(answer), reason, retryAfterOf(answer, now));
}

/** The whole subject as one text that stays the same from its first message to its last. */
export const subjectKey = ({ orgId, content: { subject } }: ChannelMessage): string =>
  `plumbline-${String(orgId)}-${subject.type}-${subject.id}`;

/** RFC 3339, whole seconds. */
export const rfc3339 = (seconds: number): string =>
  `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;

/** At most this many characters; a text that is cut ends with an ellipsis. */
export function cut(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** A path below a base address that a user has entered with or without a slash at its end. */
export const below = (base: string, path: string): string => (base.endsWith('/') ? base.slice(0, -1) : base) + path;
