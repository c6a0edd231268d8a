import { type BudgetedMessage } from './plan-types.js';
import { type WatcherRule } from './watcher-rule.js';

const WEEK = 7 * 86_400;
export const BUDGET_SECONDS = 4 * WEEK;

/** A week may use this many times the budget; four weeks slightly less than twice the budget. */
const WEEK_FACTOR = 2;
const MONTH_FACTOR = 1.75;

/**
 * True if a message of this severity may be sent within the budget of the watcher. It must reach the current severity,
 * and the messages of the last weeks must not already amount to twice the budget, unless the message is more severe
 * than all that were sent in the last week.
 */
export function isWithinBudget(
  { budgetPerWeek, severityInEffect }: Pick<WatcherRule, 'budgetPerWeek' | 'severityInEffect'>,
  severity: number,
  messages: readonly BudgetedMessage[],
  now: number,
): boolean {
  if (budgetPerWeek === null) return true;
  if (severity < severityInEffect) return false;
  let lately = 0;
  let inAll = 0;
  let worst = -1;
  for (const message of messages) {
    if (message.at > now || message.at <= now - BUDGET_SECONDS) continue;
    inAll++;
    if (message.at <= now - WEEK) continue;
    lately++;
    worst = Math.max(worst, message.severity);
  }
  const hasRoom =
    lately < Math.max(1, Math.floor(budgetPerWeek * WEEK_FACTOR)) &&
    inAll < Math.max(1, Math.floor(budgetPerWeek * 4 * MONTH_FACTOR));
  return hasRoom || severity > worst;
}

/** How much of its budget a watcher has used, and in which period. */
export interface BudgetAccount {
  /** Number of messages of the last four weeks. */
  used: number;
  /** Seconds of these four weeks in which the watcher existed. */
  seconds: number;
}

/** Messages a week over the last four weeks; for a young watcher over its lifetime, but at least a week. */
export function achievedPerWeek({ used, seconds }: BudgetAccount): number {
  return (used * WEEK) / Math.min(BUDGET_SECONDS, Math.max(WEEK, seconds));
}

/**
 * The severity with which the number of messages is about the budget.
 * @param messagesPerWeek by minimum severity, based on the past; falls as severity rises
 * @param achieved messages a week of the last four weeks; null for a new watcher
 */
export function severityForBudget(
  budgetPerWeek: number,
  messagesPerWeek: (severity: number) => number,
  achieved: number | null,
): number {
  // Too few or too many alerts are corrected more than in proportion, because the next weeks are rarely like the last
  // ones.
  const correction =
    achieved === null ? 1 : Math.min(4, Math.max(0.5, (budgetPerWeek / Math.max(achieved, 1e-9)) ** 2));
  const wanted = budgetPerWeek * correction;
  let low = 0;
  let high = 101;
  // The lowest severity with few enough messages.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (messagesPerWeek(middle) > wanted) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return 0;
  const [strict, lax] = [messagesPerWeek(low), messagesPerWeek(low - 1)];
  // Many anomalies have the same severity: of the two possible severities, the one whose number is closer to the budget
  // is used. The weekly limit also applies.
  return strict > 0 && wanted / strict <= lax / wanted ? Math.min(low, 100) : low - 1;
}
