import { severityLabel } from '#libs/contracts';
import { type BreachEnding, type BreachFacts, type ThresholdFacts } from './compose-facts.js';
import { baseOf, capital, MAX_ITEMS, nameText, sentences, titleOf, watcherRows } from './compose-shared.js';
import { type AlertContent, type AlertItem } from './content.js';
import { clockText, counted, lastingText, momentText, rangeText, valueText } from './value-text.js';
import { type ThresholdRule } from './watcher-rule.js';

/** A threshold has no levels of severity: a person set it because it matters. */
export const THRESHOLD_SEVERITY = 50;
const LABEL = severityLabel(THRESHOLD_SEVERITY);

/** The message about metrics beyond their threshold for one destination. */
export function composeThreshold(facts: ThresholdFacts): AlertContent {
  const { breaches, phase, rule, timezone, now, ending } = facts;
  const start = Math.min(...breaches.map((breach) => breach.start));
  const end = phase === 'recovered' ? Math.max(...breaches.map((breach) => breach.end ?? now)) : null;
  const until = end === null ? [] : [['Until', `${momentText(end, timezone)}, ${lastingText(end - start)}`] as const];
  const isClosed = phase === 'recovered' && ending !== undefined;
  return {
    ...baseOf(facts),
    kind: 'threshold',
    phase,
    ...(isClosed ? { isClosed } : {}),
    title: titleOf(isClosed ? 'closed' : phase, LABEL, subjectText(facts)),
    summary: sentences(...summaryOf(facts, start, end)),
    severity: THRESHOLD_SEVERITY,
    severityLabel: LABEL,
    start,
    end,
    items: breaches.slice(0, MAX_ITEMS).map((breach) => itemOf(breach, rule)),
    metricsCount: facts.metricsCount,
    origin: null,
    facts: [
      ['Threshold', ruleText(rule, breaches[0]?.unit ?? null)],
      ['Since', momentText(start, timezone)],
      ...until,
      ...watcherRows(facts),
    ],
    subject: facts.subject,
  };
}

/** `above 500 ms, mean of 5 minutes, 3 points in a row` */
export function ruleText(rule: ThresholdRule, unit: string | null): string {
  const { timesInARow, functionSeconds } = rule;
  const parts = [limitText(rule, unit, rule.value)];
  if (rule.function !== 'none' && functionSeconds !== null)
    parts.push(`${rule.function} of ${lastingText(functionSeconds)}`);
  if (timesInARow > 1) parts.push(`${String(timesInARow)} points in a row`);
  return parts.join(', ');
}

function limitText(rule: ThresholdRule, unit: string | null, limit: number | null): string {
  switch (rule.algorithm) {
    case 'above':
    case 'below':
      return `${rule.algorithm} ${valueText(limit, unit)}`;
    case 'outside':
      return `outside of ${rangeText(rule.value, rule.valueUpper, unit) ?? 'its range'}`;
    case 'drop_off':
      return `${String(rule.dropPercent ?? 0)}% below its average${rule.minimumAvgSeconds === null ? '' : ` of ${lastingText(rule.minimumAvgSeconds)}`}`;
    case 'no_data':
      return `no data for ${lastingText(rule.value ?? 0)}`;
  }
}

/** The text after the name: `is at 812 ms, above 500 ms` */
function breachText({ value, unit, limit }: BreachFacts, rule: ThresholdRule): string {
  if (rule.algorithm === 'no_data') return `has sent ${limitText(rule, unit, rule.value)}`;
  const moving =
    rule.algorithm === 'drop_off' && limit !== undefined && limit !== null ? ` (${valueText(limit, unit)})` : '';
  return `is at ${valueText(value, unit)}, ${limitText(rule, unit, rule.value)}${moving}`;
}

function endingText(ending: BreachEnding, name: string, isOne: boolean, watcher: string): string {
  switch (ending) {
    case 'left':
      return `${name} ${isOne ? 'is' : 'are'} no longer selected by ${watcher}`;
    case 'removed':
      return `${name} ${isOne ? 'was' : 'were'} removed`;
    case 'deleted':
      return `${name}: ${watcher} was deleted`;
    case 'silent':
      return `${name}: ${watcher} no longer alerts`;
  }
}

function subjectText({ breaches, metricsCount, phase, rule, watcher, ending }: ThresholdFacts): string {
  const [first] = breaches;
  const name = first === undefined || metricsCount > 1 ? counted(metricsCount, 'metric') : nameText(first.metric);
  if (phase === 'recovered' && ending !== undefined) return endingText(ending, name, metricsCount === 1, watcher.name);
  if (phase === 'recovered') {
    return `${name} ${metricsCount === 1 ? 'is' : 'are'} ${rule.algorithm === 'no_data' ? 'sending again' : 'back within the threshold'}`;
  }
  return first === undefined || metricsCount > 1
    ? `${name} beyond the threshold of ${watcher.name}: ${limitText(rule, first?.unit ?? null, rule.value)}`
    : `${name} ${breachText(first, rule)}`;
}

function summaryOf(facts: ThresholdFacts, start: number, end: number | null): string[] {
  const { breaches, phase, rule, metricsCount, timezone, now, ending } = facts;
  const [first] = breaches;
  if (phase === 'recovered' && ending !== undefined) {
    const isOne = metricsCount === 1;
    return [
      `The breach is closed: it is not known whether ${isOne ? 'the metric is' : 'the metrics are'} back within the threshold`,
      `It had lasted ${lastingText((end ?? now) - start)}`,
      `The threshold: ${ruleText(rule, first?.unit ?? null)}`,
    ];
  }
  if (phase === 'recovered')
    return [`It lasted ${lastingText((end ?? now) - start)}`, `The threshold: ${ruleText(rule, first?.unit ?? null)}`];
  if (phase === 'acknowledged') return ['It was acknowledged: no further alerts until it has ended'];
  const since = clockText(start, timezone, now);
  if (first === undefined || metricsCount > 1)
    return [
      `Since ${since} ${counted(metricsCount, 'metric')} are ${limitText(rule, first?.unit ?? null, rule.value)}`,
    ];
  return [`Since ${since}`];
}

function itemOf(breach: BreachFacts, rule: ThresholdRule): AlertItem {
  const { metricId, metric, labels, unit, value, start, end } = breach;
  return {
    metricId,
    metric,
    labels,
    unit,
    value,
    start,
    end,
    anomalyId: null,
    kind: 'threshold',
    severity: THRESHOLD_SEVERITY,
    severityLabel: LABEL,
    lower: rule.algorithm === 'below' || rule.algorithm === 'outside' ? rule.value : null,
    upper: rule.algorithm === 'above' ? rule.value : rule.algorithm === 'outside' ? rule.valueUpper : null,
    text: sentences(capital(breachText(breach, rule))),
  };
}
