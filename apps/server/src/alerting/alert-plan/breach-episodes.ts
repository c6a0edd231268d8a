import { isNotified, PLAN_TIMING } from '#libs/alerting';
import { type ThresholdChange } from '../threshold/threshold.types.js';
import { type BreachPlan, breachKey } from './breach-plan.repository.js';

/**
 * Assigns breaches and recoveries to plans: a metric that crosses the threshold of a watcher joins recent ones that no
 * message has reported yet, or starts a new plan. Changes the plans; returns all of them.
 */
export function applyChanges(
  open: readonly BreachPlan[],
  changes: readonly ThresholdChange[],
  now: number,
): BreachPlan[] {
  const plans = [...open];
  for (const { watcherId, metricId, type, timestamp, value, threshold: limit, departure } of changes) {
    const mine = plans.filter((plan) => plan.watcherId === watcherId);
    const going = mine
      .flatMap(({ breaches }) => breaches)
      .filter((breach) => breach.metricId === metricId && breach.end === null);
    if (type === 'recovered') {
      for (const breach of going)
        Object.assign(breach, { end: timestamp, ...(departure === null ? {} : { departure }) });
      continue;
    }
    if (going.length > 0) continue;
    const breach = { metricId, start: timestamp, end: null, value, limit };
    const joined = mine.find((plan) => isYoung(plan, now) && plan.breaches.every((one) => one.metricId !== metricId));
    if (joined !== undefined) joined.breaches.push(breach);
    else plans.push({ key: keyOf(watcherId, metricId, timestamp), watcherId, breaches: [breach], state: null });
  }
  return plans;
}

function isYoung({ state }: BreachPlan, now: number): boolean {
  return state === null || (!isNotified(state) && now - state.firstAt < PLAN_TIMING.longestHoldSeconds);
}

/** Starts with the key under which receivers know the subject. */
export function keyOf(watcherId: number, metricId: number, timestamp: number): string {
  return `watcher-metric/${breachKey(watcherId, metricId)}/${String(Math.floor(timestamp))}`;
}
