import { achievedPerWeek, type BudgetAccount, BUDGET_SECONDS, severityForBudget } from './plan-budget.js';
import { type PastMember, PlanReplay } from './plan-replay.js';
import { type WatcherRule } from './watcher-rule.js';

const DAY = 86_400;
const WEEK = 7 * DAY;
/** Period over which rarity is measured. */
export const JUDGED_SECONDS = 30 * DAY;
/**
 * Messages of that time are weighted by their age: severities fall as anomalies become usual for their metrics. The
 * memory contains this many messages of the budget, within limits.
 */
const REMEMBERED_MESSAGES = 3;
const MIN_MEMORY_SECONDS = 4 * DAY;
const MAX_MEMORY_SECONDS = 15 * DAY;

/** The input for the severity of a budget. Times in Unix seconds. */
export interface BudgetQuestion {
  rule: WatcherRule;
  budgetPerWeek: number;
  /** Oldest first. */
  members: readonly PastMember[];
  isExcluded?: (metricId: number, at: number) => boolean;
  /** Null for a watcher that does not send yet. */
  account: BudgetAccount | null;
  now: number;
}

export interface BudgetAnswer {
  /** 0..100 */
  severity: number;
  /** Messages a week in the last four weeks; null without an account. */
  achieved: number | null;
}

/**
 * The severity with which a watcher would have stayed within its budget in the last 30 days. Pure; called once a day.
 */
export function severityInEffect(question: BudgetQuestion): BudgetAnswer {
  const { rule, budgetPerWeek, account, now, isExcluded } = question;
  const from = now - JUDGED_SECONDS;
  const members = question.members.filter(({ isQuiet, start }) => !isQuiet && start <= now);
  const first = Math.max(from, members[0]?.start ?? now);
  const memory = memoryOf(budgetPerWeek);
  const weigh = (at: number): number => Math.exp((at - now) / memory);
  // With less than a week of data, the cost of a week is unknown.
  const weeks = (memory * (1 - weigh(Math.min(first, now - WEEK)))) / WEEK;
  const messagesPerWeek = (severity: number): number => {
    const strict = { ...rule, budgetPerWeek: null, anomalies: atLeast(rule, severity) };
    return new PlanReplay(strict, members, isExcluded).advance(now).weighSent(from, now, weigh) / weeks;
  };
  const achieved = account === null ? null : achievedPerWeek(account);
  // The messages that are sent soon correct it.
  const isSettled = account !== null && account.seconds >= BUDGET_SECONDS / 4;
  return { severity: severityForBudget(budgetPerWeek, messagesPerWeek, isSettled ? achieved : null), achieved };
}

/** Seconds in which the weight of a message falls to 1/e. */
function memoryOf(budgetPerWeek: number): number {
  const seconds = (REMEMBERED_MESSAGES * WEEK) / budgetPerWeek;
  return Math.min(MAX_MEMORY_SECONDS, Math.max(MIN_MEMORY_SECONDS, seconds));
}

/**
 * A budget compares the most severe anomaly of an incident, and so does a filter: both accept anomalies that reach the
 * severity.
 */
function atLeast({ anomalies }: WatcherRule, severity: number): WatcherRule['anomalies'] {
  return anomalies === null ? null : { ...anomalies, minSeverity: Math.max(anomalies.minSeverity, severity) };
}
