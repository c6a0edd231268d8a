import {
  type BudgetAccount,
  type BudgetAnswer,
  type PastMember,
  PlanReplay,
  type ReplayedAct,
  replayThreshold,
  severityInEffect,
  type Suppression,
  type ThresholdEvent,
  type ThresholdRule,
  type WatcherRule,
} from '#libs/alerting';
import { DAY } from '../../common/time.js';
import { heldBackBy } from '../../data/exclusion/held-alerts.functions.js';
import { type HeldAlerts } from '../../data/exclusion/exclusion.types.js';

/** A metric for matching with chips. */
export interface ReplayedMetric {
  id: number;
  name: string;
  labels: Readonly<Record<string, string>>;
}

/** The past events that a watcher decides on. Times in Unix seconds. */
export interface ReplayedPast {
  rule: WatcherRule;
  /** Oldest first. */
  members: readonly PastMember[];
  metrics: readonly ReplayedMetric[];
  held: HeldAlerts;
}

export type AlertReplayRequest =
  /** The alerts that it would have sent until a moment. */
  | { kind: 'alerts'; past: ReplayedPast; until: number }
  /**
   * Everything that it would have done between two moments, had it been created at the first; its budget is adjusted
   * every day.
   */
  | { kind: 'acts'; past: ReplayedPast; from: number; until: number }
  /** The severity that a budget would have required. */
  | { kind: 'budget'; past: ReplayedPast; budgetPerWeek: number; account: BudgetAccount | null; now: number }
  /** The events of a threshold for a series; the first `most`. */
  | {
      kind: 'threshold';
      rule: ThresholdRule;
      timestamps: Float64Array;
      values: Float64Array;
      from: number;
      until: number;
      most: number;
    };

/** A message that would have been sent, or a member that no message would have mentioned. */
export interface AlertOfReplay {
  at: number;
  memberId: number;
  suppressedBy: Suppression | null;
}

export type AlertReplayAnswer =
  | { kind: 'alerts'; alerts: AlertOfReplay[] }
  | { kind: 'acts'; acts: readonly ReplayedAct[] }
  | { kind: 'budget'; budget: BudgetAnswer }
  | { kind: 'threshold'; events: ThresholdEvent[] };

/** Applies the live rules of watchers to the past; the same in a worker thread and in the calling one. */
export function replayAlerts(request: AlertReplayRequest): AlertReplayAnswer {
  switch (request.kind) {
    case 'alerts': {
      const { rule, members } = request.past;
      const replay = new PlanReplay(rule, members, exclusionsOf(request.past)).advance(request.until);
      const alerts = replay.alerts();
      return {
        kind: 'alerts',
        alerts: alerts.map(({ at, member, suppressedBy }) => ({ at, memberId: member.id, suppressedBy })),
      };
    }
    case 'acts':
      return { kind: 'acts', acts: actsOf(request.past, request.from, request.until) };
    case 'budget': {
      const { past, budgetPerWeek, account, now } = request;
      const { rule, members } = past;
      const isExcluded = exclusionsOf(past);
      return { kind: 'budget', budget: severityInEffect({ rule, budgetPerWeek, members, isExcluded, account, now }) };
    }
    case 'threshold': {
      const { rule, timestamps, values, from, until, most } = request;
      return { kind: 'threshold', events: replayThreshold(rule, { timestamps, values }, from, until).slice(0, most) };
    }
  }
}

function actsOf(past: ReplayedPast, from: number, until: number): readonly ReplayedAct[] {
  const { rule, members } = past;
  const { budgetPerWeek } = rule;
  const isExcluded = exclusionsOf(past);
  const replay = new PlanReplay(rule, members, isExcluded);
  const acts = replay.recordActs();
  for (let now = from; budgetPerWeek !== null && now < until; now += DAY) {
    const account = { used: replay.advance(now).countSent(from, now), seconds: now - from };
    const { severity } = severityInEffect({ rule, budgetPerWeek, members, isExcluded, account, now });
    replay.setRule({ ...rule, severityInEffect: severity });
  }
  replay.advance(until);
  return acts.filter(({ at }) => at >= from);
}

function exclusionsOf({ metrics, held }: ReplayedPast): (metricId: number, at: number) => boolean {
  const byId = new Map(metrics.map((metric) => [metric.id, metric]));
  const isHeldBack = heldBackBy(held);
  return (metricId, at) => isHeldBack(byId.get(metricId)!, at);
}
