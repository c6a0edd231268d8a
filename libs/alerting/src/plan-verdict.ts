import { type Suppression } from './content.js';
import { type PlanHistory, type PlanMember, type PlanTiming } from './plan-types.js';
import { type WatcherRule } from './watcher-rule.js';

/** Decision whether a watcher alerts on a member; `until`: time at which it may change without an event. */
export type MemberVerdict = { reason: null } | { reason: Suppression; until: number | null };

export interface VerdictContext {
  now: number;
  /** Time until which alerts of the organisation are muted; null: they are not. */
  mutedUntil: number | null;
  history: Pick<PlanHistory, 'earlier'>;
  timing: PlanTiming;
}

/** Seconds after a time at which its rows are read again. */
const ROWS_COME_SECONDS = 5;

const ALERT: MemberVerdict = { reason: null };

/** The rules for single members, in the order in which people look for reasons. Pure. */
export function judgeMember(rule: WatcherRule, member: PlanMember, context: VerdictContext): MemberVerdict {
  const { now, mutedUntil, history, timing } = context;
  const filtered = judgeFilters(rule, member, now);
  if (filtered !== null) return filtered;
  if (member.isExcluded) return { reason: 'exclusion', until: now + timing.recheckSeconds };
  if (mutedUntil !== null && now < mutedUntil) return { reason: 'muted', until: mutedUntil };
  if (member.isAcknowledged) return { reason: 'acknowledged', until: null };
  const earlier = history.earlier(rule.id, member.metricId);
  if (earlier === null) return ALERT;
  const expires = earlier.at + rule.expirationSeconds;
  if (now < expires) {
    const again = earlier.isPending ? now + timing.recheckSeconds : expires;
    return { reason: 'expiration', until: Math.min(expires, again) };
  }
  const calm = earlier.at + timing.flappingSeconds;
  const isFlapping = member.earlierStarts >= timing.flappingStarts && now < calm;
  if (isFlapping) return { reason: 'flapping', until: calm };
  // Its readers still see it as open.
  if (earlier.isSettling) return { reason: 'flapping', until: now + timing.recheckSeconds };
  return ALERT;
}

/** The verdict on a member that the filters of the watcher exclude; null if they do not exclude it. */
export function judgeFilters(rule: WatcherRule, member: PlanMember, now: number): MemberVerdict | null {
  const { anomalies } = rule;
  if (anomalies === null || member.kind === 'threshold') return null;
  const { kinds, direction, minSeverity, minDurationSeconds } = anomalies;
  const isWanted =
    (kinds.length === 0 || kinds.includes(member.kind)) &&
    (direction === 'both' || member.direction === null || member.direction === direction) &&
    member.severity >= minSeverity;
  if (!isWanted) return { reason: 'filter', until: null };
  const over = member.outUntil ?? member.end;
  const known = over ?? Math.min(now, member.knownUntil ?? now);
  if (Math.max(0, known - member.start) >= minDurationSeconds) return null;
  // A member that has ended passes later only if it changes.
  if (over !== null) return { reason: 'filter', until: null };
  return { reason: 'filter', until: Math.max(member.start + minDurationSeconds, now + ROWS_COME_SECONDS) };
}
