import { severityLabel } from '#libs/contracts';
import { type AlertChannel, type Destination, destinationKey, type Suppression } from './content.js';
import { isWithinBudget } from './plan-budget.js';
import {
  type PlanAct,
  type PlanHistory,
  type PlanMember,
  type PlanState,
  type PlanTiming,
  type RecoveryReason,
} from './plan-types.js';
import { judgeFilters, judgeMember, type MemberVerdict } from './plan-verdict.js';
import { type WatcherRule } from './watcher-rule.js';

/** The input of decisions about one subject at a time. */
export interface PlanInput {
  now: number;
  /** Time of the oldest change; the first message is held from then on. */
  since: number;
  /** Watchers that alert, and the members that their chips select. */
  watched: readonly { rule: WatcherRule; members: readonly PlanMember[] }[];
  /** All members, for watchers that no longer exist. */
  members: readonly PlanMember[];
  states: readonly PlanState[];
  mutedUntil: number | null;
  history: PlanHistory;
  /** True if its members are now those of another subject. */
  isMerged: boolean;
  /** True if the watcher is permanently deleted: no more messages are sent, records are closed. */
  isDeleted?: boolean;
  timing: PlanTiming;
}

export interface PlanOutcome {
  /** The new state of every watcher that has one. */
  states: PlanState[];
  acts: PlanAct[];
}

/** Channels that get a message when a colleague acknowledges: it informs the readers, or ends a call. */
const ACKNOWLEDGED_CHANNELS: ReadonlySet<AlertChannel> = new Set(['chat', 'pagerduty', 'webhook']);
/** Channels with a record that stays open until it is closed. */
const RECORD_CHANNELS: ReadonlySet<AlertChannel> = new Set(['pagerduty', 'alertmanager', 'webhook']);

/**
 * Decides which messages are sent about one subject: an incident, or metrics of a watcher that crossed its threshold
 * together. Each destination gets one message, however many watchers use it; the first watcher sends it. Pure: the same
 * input gives the same result, live and in a preview. A repetition at the same time changes nothing.
 */
export function planSubject(input: PlanInput): PlanOutcome {
  const states = new Map(input.states.map((state) => [state.watcherId, state]));
  const claims = new Map<string, number>();
  for (const { watcherId, destinations } of input.states) {
    for (const destination of destinations) claims.set(destinationKey(destination), watcherId);
  }
  const acts: PlanAct[] = [];
  const outcome: PlanState[] = [];
  const inOrder = [...input.watched].sort((a, b) => a.rule.id - b.rule.id);
  for (const { rule, members } of inOrder) {
    const state = states.get(rule.id);
    states.delete(rule.id);
    const next = new SubjectOfWatcher(input, rule.id, acts).step(rule, members, state, claims);
    if (next !== null) outcome.push(next);
  }
  // Watchers that no longer alert: their open subjects are still closed.
  for (const state of states.values()) {
    const next = new SubjectOfWatcher(input, state.watcherId, acts).stepWithoutRule(state);
    if (next !== null) outcome.push(next);
  }
  return { states: outcome.sort((a, b) => a.watcherId - b.watcherId), acts };
}

class SubjectOfWatcher {
  constructor(
    private readonly input: PlanInput,
    private readonly watcherId: number,
    private readonly acts: PlanAct[],
  ) {}

  step(
    rule: WatcherRule,
    members: readonly PlanMember[],
    state: PlanState | undefined,
    claims: Map<string, number>,
  ): PlanState | null {
    if (state?.phase === 'recovered') return this.afterRecovery(rule, members, state, claims);
    if (state !== undefined && isNotified(state)) {
      const wanted = this.wanted(rule, members, state);
      if (!hasUnreportedAnomaly(state, wanted)) return this.continuePlan(wanted, state);
      return this.decide(rule, wanted, newState(rule.id, this.input.now), claims) ?? state;
    }
    return this.decide(rule, members, state, claims);
  }

  stepWithoutRule(state: PlanState): PlanState | null {
    if (!isNotified(state)) return state.phase === 'recovered' ? state : null;
    const notified = new Set(state.notifiedMetrics);
    const members = this.input.members.filter(({ metricId }) => notified.has(metricId));
    if (members.some(({ state: now, isQuiet }) => now === 'open' && !isQuiet)) return { ...state, recheckAt: null };
    return this.continuePlan(members, state);
  }

  /** No message has been sent yet: decides whether one is, and to which destinations. */
  private decide(
    rule: WatcherRule,
    members: readonly PlanMember[],
    state: PlanState | undefined,
    claims: Map<string, number>,
  ): PlanState | null {
    const { now, timing } = this.input;
    const live = members.filter((member) => !member.isQuiet && member.state !== 'withdrawn' && !this.isStale(member));
    if (live.length === 0) return state ? { ...state, phase: 'suppressed', reason: null, recheckAt: null } : null;
    // A suppressed subject that has ended is not reported late.
    const isPast = state?.phase === 'suppressed' && state.reason !== null && live.every(({ end }) => end !== null);
    if (isPast) return { ...state, recheckAt: null };
    const verdicts = live.map((member) => this.judge(rule, member));
    this.applyBudget(rule, live, verdicts);
    const passing = live.filter((_, index) => verdicts[index]!.reason === null);
    const base = state ?? newState(rule.id, Math.min(now, this.input.since));
    const hasGrown = live.length > base.count;
    const counted: PlanState = {
      ...base,
      count: Math.max(base.count, live.length),
      grownAt: hasGrown ? now : base.grownAt,
    };
    if (passing.length === 0) {
      return this.holdBack(counted, live, verdicts, freeOf(rule.destinations, rule.id, claims));
    }
    const recheckAt = holdEnd(counted, timing);
    if (now < recheckAt) return { ...counted, phase: 'held', reason: null, recheckAt };
    const destinations = claim(rule.destinations, rule.id, claims);
    this.act({ type: 'open', destinations, members: passing });
    const notified: PlanState = { ...counted, phase: 'told', reason: null, notifiedAt: now, destinations };
    const wanted = this.wanted(rule, live, notified);
    // It may have ended already.
    return this.continuePlan(wanted, this.asNotified(notified, wanted));
  }

  /** The watcher alerts on no member. Recorded once for each reason; for filters, once nothing can change any more. */
  private holdBack(
    state: PlanState,
    live: readonly PlanMember[],
    verdicts: readonly MemberVerdict[],
    destinations: readonly Destination[],
  ): PlanState {
    const reason = reasonOf(live, verdicts);
    const isOver = live.every(({ state: of }) => of === 'ended');
    const again = Math.min(
      ...verdicts.map((verdict) => (verdict.reason === null ? Infinity : (verdict.until ?? Infinity))),
    );
    // A subject that has ended is not reported late: only open ones are checked again.
    const recheckAt = isOver || again === Infinity ? null : again;
    const isFinal = isOver || reason !== 'filter';
    if (!isFinal || state.phase !== 'suppressed' || state.reason !== reason) {
      this.acts.push({
        type: 'suppress',
        phase: 'opened',
        reason,
        isFinal,
        watcherId: this.watcherId,
        destinations,
        members: live,
        reasons: verdicts.map((verdict) => verdict.reason ?? reason),
      });
    }
    if (!isFinal) return { ...state, phase: 'suppressed', reason: null, recheckAt };
    return { ...state, phase: 'suppressed', reason, recheckAt };
  }

  /** The first message has been sent. */
  private continuePlan(members: readonly PlanMember[], state: PlanState): PlanState {
    const { now, timing, mutedUntil } = this.input;
    const live = members.filter(({ isQuiet, state: of }) => !isQuiet && of !== 'withdrawn');
    if (live.length === 0) return this.recover(state, members, this.withdrawal());
    const open = live.filter(({ state: of }) => of === 'open');
    if (open.length === 0) return this.settle(state, live);
    const lasting: PlanState = { ...state, endedAt: null, recheckAt: null };
    if (open.every(({ isAcknowledged }) => isAcknowledged)) return this.acknowledge(lasting, open);
    const active: PlanState = { ...lasting, phase: 'told' };
    if (mutedUntil !== null && now < mutedUntil) return { ...active, recheckAt: mutedUntil };
    const reported = reportable(open);
    if (reported.length === 0) return active;
    const hasGrown = live.length > active.count;
    const counted = { ...active, count: Math.max(active.count, live.length), grownAt: hasGrown ? now : active.grownAt };
    const severity = Math.max(...reported.map((member) => member.severity));
    if (isWorthAMessage(counted, severity, live.length, timing)) {
      const at = Math.max((counted.lastAt ?? now) + timing.updateSeconds, growthEnd(counted, timing));
      if (now < at) return { ...counted, recheckAt: at };
      this.act({ type: 'update', destinations: counted.destinations, members: live });
      return this.asNotified(counted, live);
    }
    if (severity === counted.shownSeverity && live.length === counted.shownCount) return counted;
    const at = (counted.lastAt ?? now) + timing.refreshSeconds;
    if (now < at) return { ...counted, recheckAt: at };
    this.act({ type: 'refresh', destinations: counted.destinations, members: live });
    return this.shown(counted, live);
  }

  private acknowledge(state: PlanState, open: readonly PlanMember[]): PlanState {
    if (state.phase === 'acknowledged') return state;
    const destinations = state.destinations.filter(({ channel }) => ACKNOWLEDGED_CHANNELS.has(channel));
    this.act({ type: 'acknowledge', destinations, members: open });
    return { ...state, phase: 'acknowledged' };
  }

  /** All members have ended: reported after this has lasted. */
  private settle(state: PlanState, live: readonly PlanMember[]): PlanState {
    const { now, timing, history } = this.input;
    const endedAt = state.endedAt ?? now;
    const at = endedAt + timing.recoverySeconds;
    if (now < at) return { ...state, endedAt, recheckAt: at };
    if (history.isAnomalous(state.notifiedMetrics))
      return { ...state, endedAt, recheckAt: now + timing.recheckSeconds };
    return this.recover({ ...state, endedAt }, live, 'ended');
  }

  private recover(state: PlanState, members: readonly PlanMember[], why: RecoveryReason): PlanState {
    const { now, mutedUntil } = this.input;
    const isMuted = mutedUntil !== null && now < mutedUntil;
    const isShort = isMuted || why === 'merged' || why === 'deleted';
    const destinations = state.destinations.filter(({ channel }) => !isShort || RECORD_CHANNELS.has(channel));
    this.acts.push({ type: 'recover', why, watcherId: this.watcherId, destinations, members });
    const silent = state.destinations.filter((destination) => !destinations.includes(destination));
    if (isMuted && why !== 'merged' && why !== 'deleted' && silent.length > 0) {
      this.acts.push({
        type: 'suppress',
        phase: 'recovered',
        reason: 'muted',
        isFinal: true,
        watcherId: this.watcherId,
        destinations: silent,
        members,
        reasons: members.map(() => 'muted'),
      });
    }
    return { ...state, phase: 'recovered', endedAt: state.endedAt ?? now, recheckAt: null };
  }

  private withdrawal(): RecoveryReason {
    if (this.input.isMerged) return 'merged';
    return this.input.isDeleted === true ? 'deleted' : 'expected';
  }

  /** It has started again. Another message is sent once the earlier one has expired. */
  private afterRecovery(
    rule: WatcherRule,
    members: readonly PlanMember[],
    state: PlanState,
    claims: Map<string, number>,
  ): PlanState {
    const { now } = this.input;
    const open = this.wanted(rule, members, state).filter((member) => member.state === 'open' && !member.isQuiet);
    if (open.length === 0) return { ...state, recheckAt: null };
    const expires = state.notifiedAt === null ? now : state.notifiedAt + rule.expirationSeconds;
    if (now < expires) return { ...state, recheckAt: expires };
    return this.decide(rule, open, newState(rule.id, now), claims) ?? state;
  }

  /** The members that the watcher selects, and the members that it reported before its settings changed. */
  private wanted(rule: WatcherRule, members: readonly PlanMember[], state: PlanState): readonly PlanMember[] {
    const notified = new Set(state.notifiedMetrics);
    return members.filter(
      (member) => notified.has(member.metricId) || judgeFilters(rule, member, this.input.now) === null,
    );
  }

  private judge(rule: WatcherRule, member: PlanMember): MemberVerdict {
    return judgeMember(rule, member, this.input);
  }

  /** An incident counts once, by its most severe member. */
  private applyBudget(rule: WatcherRule, live: readonly PlanMember[], verdicts: MemberVerdict[]): void {
    if (rule.budgetPerWeek === null) return;
    let severity = -1;
    live.forEach((member, index) => {
      if (verdicts[index]!.reason === null) severity = Math.max(severity, member.severity);
    });
    if (severity < 0) return;
    if (isWithinBudget(rule, severity, this.input.history.budgeted(rule.id), this.input.now)) return;
    verdicts.forEach((verdict, index) => {
      if (verdict.reason === null) verdicts[index] = { reason: 'budget', until: null };
    });
  }

  private isStale({ end }: PlanMember): boolean {
    return end !== null && this.input.now - end > this.input.timing.staleSeconds;
  }

  private act(act: Omit<Extract<PlanAct, { type: 'open' | 'refresh' | 'update' | 'acknowledge' }>, 'watcherId'>): void {
    if (act.destinations.length > 0 || act.type === 'open') this.acts.push({ ...act, watcherId: this.watcherId });
  }

  private asNotified(state: PlanState, live: readonly PlanMember[]): PlanState {
    const shown = this.shown(state, live);
    return { ...shown, notifiedSeverity: shown.shownSeverity, notifiedCount: shown.shownCount };
  }

  private shown(state: PlanState, live: readonly PlanMember[]): PlanState {
    const reported = reportable(live);
    const worst = Math.max(...(reported.length > 0 ? reported : live).map(({ severity }) => severity));
    return {
      ...state,
      lastAt: this.input.now,
      recheckAt: null,
      shownSeverity: worst,
      shownCount: live.length,
      notifiedMetrics: [...new Set([...state.notifiedMetrics, ...live.map(({ metricId }) => metricId)])].sort(
        (a, b) => a - b,
      ),
    };
  }
}

export const isNotified = ({ phase }: Pick<PlanState, 'phase'>): boolean =>
  phase === 'told' || phase === 'acknowledged';

/** No recipient got a message, and there is an anomaly that the messages did not contain. */
function hasUnreportedAnomaly(
  { notifiedAt, lastAt, notifiedMetrics }: PlanState,
  members: readonly PlanMember[],
): boolean {
  if (notifiedAt !== null) return false;
  const notified = new Set(notifiedMetrics);
  return reportable(members).some(
    ({ isQuiet, metricId, start }) => !isQuiet && (!notified.has(metricId) || start > (lastAt ?? -Infinity)),
  );
}

/** The members that still justify a message. */
function reportable(members: readonly PlanMember[]): PlanMember[] {
  return members.filter(({ state, isAcknowledged, isExcluded }) => state === 'open' && !isAcknowledged && !isExcluded);
}

function newState(watcherId: number, now: number): PlanState {
  return {
    watcherId,
    phase: 'held',
    reason: null,
    firstAt: now,
    grownAt: now,
    count: 0,
    recheckAt: null,
    notifiedAt: null,
    lastAt: null,
    notifiedSeverity: 0,
    notifiedCount: 0,
    shownSeverity: 0,
    shownCount: 0,
    notifiedMetrics: [],
    destinations: [],
    endedAt: null,
  };
}

/**
 * A storm is held until it has stopped growing, so that there is one message; messages about other subjects are sent
 * soon.
 */
function holdEnd(state: PlanState, timing: PlanTiming): number {
  const { holdSeconds, growingSeconds, stormCount, longestHoldSeconds } = timing;
  const least = state.firstAt + holdSeconds;
  const most = state.firstAt + (state.count > stormCount ? longestHoldSeconds : growingSeconds);
  return Math.min(most, Math.max(least, growthEnd(state, timing)));
}

function growthEnd({ count, grownAt }: PlanState, timing: PlanTiming): number {
  if (count <= 1) return -Infinity;
  return grownAt + (count > timing.stormCount ? timing.stormSeconds : timing.growingSeconds);
}

function isWorthAMessage(state: PlanState, severity: number, count: number, timing: PlanTiming): boolean {
  const isWorse =
    severity > state.notifiedSeverity && severityLabel(severity) !== severityLabel(state.notifiedSeverity);
  const isMore = count >= state.notifiedCount * timing.multiple && count >= state.notifiedCount + timing.leastGrowth;
  return isWorse || isMore;
}

/** The reason for suppressing the worst of the members that passed most checks. */
function reasonOf(live: readonly PlanMember[], verdicts: readonly MemberVerdict[]): Suppression {
  let best: { rank: number; severity: number; reason: Suppression } | null = null;
  live.forEach(({ severity }, index) => {
    const { reason } = verdicts[index]!;
    if (reason === null) return;
    const rank = reason === 'filter' ? 0 : 1;
    if (best === null || rank > best.rank || (rank === best.rank && severity > best.severity)) {
      best = { rank, severity, reason };
    }
  });
  return (best as { reason: Suppression } | null)?.reason ?? 'filter';
}

/** The destinations of a watcher that no other one serves for this subject, each once. */
function freeOf(
  destinations: readonly Destination[],
  watcherId: number,
  claims: ReadonlyMap<string, number>,
): Destination[] {
  const free = destinations.filter((one) => (claims.get(destinationKey(one)) ?? watcherId) === watcherId);
  return [...new Map(free.map((one) => [destinationKey(one), one])).values()];
}

function claim(destinations: readonly Destination[], watcherId: number, claims: Map<string, number>): Destination[] {
  const claimed = freeOf(destinations, watcherId, claims);
  for (const destination of claimed) claims.set(destinationKey(destination), watcherId);
  return claimed;
}
