import { type ParseLimits } from './limits.js';

/** Why a point with a readable value is refused. */
export type PointRefusal = 'bad_timestamp' | 'not_finite' | 'in_future' | 'too_old';

/** A member of a refused point: its name or path, and its value as a message shows it. */
export interface SentMember {
  member: string;
  shown: string;
}

/** The rule that a point breaks, with the member and its value: `timestamp must be at most 60 s in the future, got …`. */
export function pointProblem(
  reason: PointRefusal,
  time: SentMember,
  value: SentMember,
  limits: ParseLimits,
  backfill: boolean,
): string {
  if (reason === 'not_finite') return `${value.member} must be a finite number, got ${value.shown}`;
  const got = `got ${time.shown}`;
  if (reason === 'bad_timestamp') return `${time.member} must be a Unix time, ${got}`;
  if (reason === 'in_future') {
    return `${time.member} must be at most ${limits.maxFutureSeconds} s in the future, ${got}`;
  }
  const age = backfill ? limits.backfillMaxAgeSeconds : limits.maxAgeSeconds;
  return `${time.member} must be at most ${age} s ago, ${got}${backfill ? '' : '; send history with backfill'}`;
}
