import { type NameCache } from '../names/name-cache.js';
import { DEFAULT_NAME_LIMITS } from '../names/name-limits.js';

/** All limits of a parser, and its current time. Times in seconds. */
export interface ParseLimits {
  /** Unix seconds, fractions allowed: the only clock of the parsers, and the timestamp of points without one. */
  now: number;
  /** Points older than `now` minus this are `too_old`. */
  maxAgeSeconds: number;
  /** Points later than `now` plus this are `in_future`. */
  maxFutureSeconds: number;
  /** Replaces `maxAgeSeconds` for backfill. */
  backfillMaxAgeSeconds: number;
  /** The whole body is backfill, by header or query parameter. */
  backfill: boolean;
  /** Maximum number of points in one body, including refused ones. More: BodyTooLargeError. */
  maxPoints: number;
  /** Labels of one metric. */
  maxLabels: number;
  /** Characters (Unicode code points) of a canonical name. */
  maxNameLength: number;
  /** Maximum number of problems described in an answer; further ones are only counted. */
  maxDetails: number;
  /** Names known from earlier bodies. Without it the names of every body are parsed again. */
  names?: NameCache;
}

const DEFAULTS: Omit<ParseLimits, 'now'> = {
  ...DEFAULT_NAME_LIMITS,
  maxAgeSeconds: 86_400,
  maxFutureSeconds: 60,
  // 400 days: the default of the longer retention tier.
  backfillMaxAgeSeconds: 400 * 86_400,
  backfill: false,
  maxPoints: 50_000,
  maxDetails: 100,
};

/** The default limits at a time, with some of them replaced. */
export function parseLimits(now: number, overrides: Partial<Omit<ParseLimits, 'now'>> = {}): ParseLimits {
  return { ...DEFAULTS, ...overrides, now };
}
