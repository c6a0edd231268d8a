import { type AnomalyKind } from '#libs/contracts';
import { type Suppression } from './content.js';
import { BUDGET_SECONDS } from './plan-budget.js';
import {
  PLAN_TIMING,
  type PlanAct,
  type PlanHistory,
  type PlanMember,
  type PlanState,
  type PlanTiming,
  type BudgetedMessage,
} from './plan-types.js';
import { isNotified, planSubject } from './plan.js';
import { type WatcherRule } from './watcher-rule.js';

/** An anomaly or a breach of the past, in its final state. Times in Unix seconds. */
export interface PastMember {
  id: number;
  /** Its incident; members with the same one are one subject. */
  subjectId: number;
  metricId: number;
  kind: AnomalyKind | 'threshold';
  severity: number;
  direction: 'up' | 'down' | null;
  start: number;
  end: number | null;
  /** End of the last row outside the range; without it, `end` is used. */
  outUntil?: number | null;
  isQuiet: boolean;
  acknowledgedAt: number | null;
}

/** A message that would have been sent, or a member that no message would have mentioned. */
export interface ReplayedAlert {
  at: number;
  member: PastMember;
  /** Null: it would have been sent. */
  suppressedBy: Suppression | null;
}

/** The decision about one subject at a past moment; immutable. */
export interface ReplayedAct {
  at: number;
  subjectId: number;
  act: PlanAct;
  /** The previous state of the subject, if there was one, and the time since which it applied. */
  before: PlanState | null;
  after: PlanState;
}

interface Subject {
  members: Map<number, { view: PlanMember; past: PastMember }>;
  state: PlanState | undefined;
}

type ReplayEvent = { at: number; past: PastMember; what: 'start' | 'end' | 'acknowledged' };

/**
 * Applies the plan of one watcher to the past, in chronological order. Severities are the final ones of the members,
 * because earlier ones are not stored. It may be advanced in steps, each with a different rule.
 */
export class PlanReplay {
  private readonly events: readonly ReplayEvent[];
  private next = 0;
  private readonly wakeUps: { at: number; subjectId: number }[] = [];
  private readonly subjects = new Map<number, Subject>();
  private readonly starts = new Map<number, number[]>();
  private readonly openOf = new Map<number, number>();
  /** Ids of the subjects with a first message that contained a metric, by metric, in chronological order. */
  private readonly notifiedOf = new Map<number, number[]>();
  private readonly budgeted: (BudgetedMessage & { subjectId: number })[] = [];
  private readonly sent: ReplayedAlert[] = [];
  private readonly suppressed = new Map<number, ReplayedAlert>();
  private record: ReplayedAct[] | null = null;

  constructor(
    private rule: WatcherRule,
    members: readonly PastMember[],
    private readonly isExcluded: (metricId: number, at: number) => boolean = () => false,
    private readonly timing: PlanTiming = PLAN_TIMING,
  ) {
    this.events = members
      .flatMap((past): ReplayEvent[] => [
        { at: past.start, past, what: 'start' },
        ...(past.end === null ? [] : [{ at: Math.max(past.start, past.end), past, what: 'end' } as const]),
        ...(past.acknowledgedAt === null
          ? []
          : [{ at: Math.max(past.start, past.acknowledgedAt), past, what: 'acknowledged' } as const]),
      ])
      // Events with equal times stay in order: nothing ends before it starts.
      .sort((a, b) => a.at - b.at);
  }

  /** Records every act from now on, in chronological order; the list grows as the replay is advanced. */
  recordActs(): readonly ReplayedAct[] {
    this.record ??= [];
    return this.record;
  }

  setRule(rule: WatcherRule): void {
    this.rule = rule;
  }

  /** Advances to a time, inclusive. */
  advance(until: number): this {
    for (;;) {
      const at = Math.min(this.events[this.next]?.at ?? Infinity, this.wakeUps.at(-1)?.at ?? Infinity);
      if (at > until || at === Infinity) return this;
      const touched = new Set<number>();
      while (this.wakeUps.length > 0 && this.wakeUps.at(-1)!.at <= at) touched.add(this.wakeUps.pop()!.subjectId);
      while (this.next < this.events.length && this.events[this.next]!.at <= at) {
        touched.add(this.applyEvent(this.events[this.next++]!));
      }
      for (const subjectId of touched) this.plan(subjectId, at);
    }
  }

  /** In chronological order. */
  alerts(): ReplayedAlert[] {
    return [...this.sent, ...this.suppressed.values()].sort((a, b) => a.at - b.at || a.member.id - b.member.id);
  }

  /** First messages that were sent within a period, its end excluded. */
  countSent(from: number, until: number): number {
    return this.weighSent(from, until, () => 1);
  }

  /**
   * Sum of the weights, by their times (Unix seconds), of the first messages that were sent within a period, its end
   * excluded.
   */
  weighSent(from: number, until: number, weigh: (at: number) => number): number {
    return this.budgeted.reduce((sum, { at }) => (at >= from && at < until ? sum + weigh(at) : sum), 0);
  }

  private applyEvent({ at, past, what }: ReplayEvent): number {
    const { id, subjectId, metricId } = past;
    const subject: Subject = this.subjects.get(subjectId) ?? { members: new Map(), state: undefined };
    this.subjects.set(subjectId, subject);
    if (what === 'start') {
      const starts = (this.starts.get(metricId) ?? []).filter((start) => start > at - this.timing.flappingSeconds);
      this.starts.set(metricId, [...starts, at]);
      subject.members.set(id, { past, view: viewOf(past, starts.length) });
    } else {
      const { view } = subject.members.get(id)!;
      if (what === 'end') Object.assign(view, { end: past.end, outUntil: past.outUntil, state: 'ended' });
      else if (view.state === 'open') view.isAcknowledged = true;
    }
    if (!past.isQuiet && what !== 'acknowledged') {
      this.openOf.set(metricId, (this.openOf.get(metricId) ?? 0) + (what === 'start' ? 1 : -1));
    }
    return subjectId;
  }

  private plan(subjectId: number, now: number): void {
    const subject = this.subjects.get(subjectId)!;
    const members = [...subject.members.values()].map(({ view }) => view);
    for (const view of members) view.isExcluded = this.isExcluded(view.metricId, now);
    const { states, acts } = planSubject({
      now,
      since: now,
      watched: [{ rule: this.rule, members }],
      members,
      states: subject.state ? [subject.state] : [],
      mutedUntil: null,
      history: this.historyFor(subjectId, now),
      isMerged: false,
      timing: this.timing,
    });
    const [state] = states;
    const before = subject.state ?? null;
    subject.state = state;
    for (const act of acts) this.note(act, subjectId, now);
    // Members continue to change; copies do not.
    for (const act of this.record === null ? [] : acts) {
      this.record!.push({ at: now, subjectId, act: structuredClone(act), before, after: state! });
    }
    if (state?.recheckAt != null) this.wakeAt(Math.max(state.recheckAt, now + 1e-3), subjectId);
  }

  private historyFor(subjectId: number, now: number): PlanHistory {
    return {
      earlier: (_, metricId) => {
        const other = this.notifiedOf.get(metricId)?.findLast((id) => id !== subjectId);
        const state = other === undefined ? undefined : this.subjects.get(other)!.state;
        if (state?.notifiedAt == null) return null;
        return { at: state.notifiedAt, isSettling: isNotified(state) && state.endedAt !== null, isPending: false };
      },
      budgeted: () =>
        this.budgeted.filter((message) => message.subjectId !== subjectId && message.at > now - BUDGET_SECONDS),
      isAnomalous: (metricIds) => metricIds.some((id) => (this.openOf.get(id) ?? 0) > 0),
    };
  }

  private note(act: PlanAct, subjectId: number, at: number): void {
    const { members } = this.subjects.get(subjectId)!;
    const pastOf = ({ id }: PlanMember): PastMember => members.get(id)!.past;
    if (act.type === 'open') {
      const worst = act.members.reduce((a, b) => (b.severity > a.severity ? b : a));
      this.sent.push({ at, member: pastOf(worst), suppressedBy: null });
      this.budgeted.push({ at, severity: worst.severity, subjectId });
      for (const id of members.keys()) this.suppressed.delete(id);
      for (const metricId of this.subjects.get(subjectId)!.state!.notifiedMetrics) {
        this.notifiedOf.set(metricId, [...(this.notifiedOf.get(metricId) ?? []), subjectId]);
      }
    } else if (act.type === 'suppress' && act.phase === 'opened') {
      act.members.forEach((member, index) => {
        const earlier = this.suppressed.get(member.id);
        const suppressedBy = act.reasons[index]!;
        this.suppressed.set(member.id, { at: earlier?.at ?? at, member: pastOf(member), suppressedBy });
      });
    }
  }

  /** The earliest one is at the end of the list. */
  private wakeAt(at: number, subjectId: number): void {
    let index = this.wakeUps.length;
    while (index > 0 && this.wakeUps[index - 1]!.at < at) index--;
    this.wakeUps.splice(index, 0, { at, subjectId });
  }
}

function viewOf(past: PastMember, earlierStarts: number): PlanMember {
  const { id, metricId, kind, severity, direction, start, isQuiet } = past;
  return {
    id,
    metricId,
    kind,
    severity,
    direction,
    start,
    end: null,
    state: 'open',
    isAcknowledged: false,
    isQuiet,
    isExcluded: false,
    earlierStarts,
  };
}
