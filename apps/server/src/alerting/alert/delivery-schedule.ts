import { type AlertChannel } from '#libs/alerting';
import { HOUR } from '../../common/time.js';

/** Seconds from the end of one try to the next, for people. */
const PEOPLE: readonly number[] = [5, 60, 300, 1800];
const PROGRAMS: readonly number[] = [...PEOPLE, 2 * HOUR, 8 * HOUR, 24 * HOUR];

/** Pauses after each failed try; after the last one a message is given up. */
const pausesOf = (channel: AlertChannel): readonly number[] => (channel === 'webhook' ? PROGRAMS : PEOPLE);

/** A tenth of the pause: messages that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Seconds until the next try, or null: it is given up.
 * @param tries so far
 * @param retryAfterSeconds requested by the service
 * @param random 0 to 1
 */
export function pauseAfter(
  channel: AlertChannel,
  tries: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const pause = pausesOf(channel)[tries - 1];
  if (pause === undefined) return null;
  return Math.max(pause * (1 + JITTER * random), Math.min(retryAfterSeconds ?? 0, HOUR));
}

/** Seconds after which a message whose destination fails is given up: all pauses, and time for the tries. */
export function giveUpSeconds(channel: AlertChannel): number {
  return pausesOf(channel).reduce((sum, pause) => sum + pause * (1 + JITTER), 10 * 60);
}
