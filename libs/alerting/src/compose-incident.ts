import { severityLabel } from '#libs/contracts';
import { commonKind } from '#libs/wording';
import { type AnomalyEnding, type AnomalyFacts, type IncidentFacts } from './compose-facts.js';
import {
  baseOf,
  capital,
  itemOf,
  MAX_ITEMS,
  nameText,
  observedText,
  sentences,
  titleOf,
  watcherRows,
  worstFirst,
} from './compose-shared.js';
import { type AlertContent } from './content.js';
import { clockText, counted, countText, lastingText, momentText } from './value-text.js';

/** The message about an incident for one destination. */
export function composeIncident(facts: IncidentFacts): AlertContent {
  const { incident, phase, timezone } = facts;
  const worst = worstFirst(facts.anomalies);
  const severity = worst[0]?.severity ?? incident.severity;
  const label = severityLabel(severity);
  const end = endOf(facts);
  const closing = closingOf(facts);
  const until =
    end === null ? [] : [['Until', `${momentText(end, timezone)}, ${lastingText(end - incident.start)}`] as const];
  return {
    ...baseOf(facts),
    kind: 'anomaly',
    phase,
    ...(closing === null ? {} : { isClosed: true }),
    title: titleOf(closing === null ? phase : 'closed', label, subjectText(facts, worst, closing)),
    summary: sentences(...summaryOf(facts, worst, closing)),
    severity,
    severityLabel: label,
    start: incident.start,
    end,
    items: worst.slice(0, MAX_ITEMS).map((anomaly) => itemOf(anomaly, facts)),
    metricsCount: facts.metricsCount,
    origin: originOf(facts),
    facts: [
      ['Severity', `${capital(label)} (${String(severity)} of 100)`],
      ['Since', momentText(incident.start, timezone)],
      ...until,
      ...watcherRows(facts),
    ],
    subject: { type: 'incident', id: String(incident.id) },
  };
}

/** If the incident continues with other metrics, the end of the anomalies of the message. */
function endOf({ phase, incident, anomalies, now }: IncidentFacts): number | null {
  if (phase !== 'recovered') return null;
  const ends = anomalies.flatMap(({ end }) => end ?? []);
  return incident.end ?? (ends.length === 0 ? now : Math.max(...ends));
}

/**
 * Why a message is resolved other than by normal values. `several`: its anomalies ended in different ways; `withdrawn`:
 * no anomaly is left in its incident.
 */
type Closing = Exclude<AnomalyEnding, 'recovered'> | 'merged' | 'deleted' | 'several' | 'withdrawn';

/** Null if the message is not resolved, or if the values of all its metrics are normal again. */
function closingOf({ phase, why = 'ended', anomalies }: IncidentFacts): Closing | null {
  if (phase !== 'recovered') return null;
  if (why === 'merged' || why === 'deleted') return why;
  if (why === 'expected' && anomalies.length === 0) return 'withdrawn';
  const [first = 'recovered', ...others] = new Set(anomalies.map(({ ending }) => ending ?? 'recovered'));
  if (why === 'expected') return first === 'excluded' && others.length === 0 ? 'excluded' : 'expected';
  if (others.length > 0) return 'several';
  return first === 'recovered' ? null : first;
}

/** For a single metric its event, for several the title of the incident. */
function subjectText(facts: IncidentFacts, [only, another]: readonly AnomalyFacts[], closing: Closing | null): string {
  const { incident, phase } = facts;
  // An incident whose anomalies were all marked as expected, or excluded, has no metrics left.
  const isSingle = incident.metricsCount <= 1 && only !== undefined && another === undefined;
  if (!isSingle || closing === 'several' || closing === 'withdrawn') return incident.title;
  const name = nameText(only.metric);
  if (phase !== 'recovered') return `${name} ${observedText(only, facts)}`;
  if (closing === 'merged') return `${name} is part of another incident`;
  if (closing === 'deleted') return `${name} is no longer watched`;
  const kind = closing === null ? commonKind([only.kind]) : null;
  return `${name} ${kind === null ? ENDED[closing ?? 'recovered'][0] : RETURNS[kind][0]}`;
}

/** How metrics ended: one, several. */
const ENDED: Readonly<Record<AnomalyEnding, readonly [one: string, several: string]>> = {
  recovered: ['is as expected again', 'are as expected again'],
  adapted: ['stays at its new values', 'stay at their new values'],
  data_ended: ['has no further data to judge', 'have no further data to judge'],
  excluded: ['is excluded from analysis', 'are excluded from analysis'],
  expected: ['was marked as expected', 'were marked as expected'],
};

function summaryOf(facts: IncidentFacts, worst: readonly AnomalyFacts[], closing: Closing | null): string[] {
  const { phase, incident, metricsCount, previous, timezone, now } = facts;
  const [first] = worst;
  const since = clockText(incident.start, timezone, now);
  const watched =
    metricsCount < incident.metricsCount
      ? `${counted(metricsCount, 'metric')} of the ${countText(incident.metricsCount)} in the incident ${metricsCount === 1 ? 'is' : 'are'} watched here`
      : '';
  switch (phase) {
    case 'recovered': {
      const lasted = lastingText((endOf(facts) ?? now) - incident.start);
      const what = metricsCount === 1 ? 'The metric' : `All ${counted(metricsCount, 'metric')}`;
      if (closing !== null) return [closingText(closing, facts, what, lasted)];
      return [`${what} ${backText(worst, metricsCount)} after ${lasted}`, watched];
    }
    case 'acknowledged': {
      const { by = null, note = null } = facts.acknowledgement ?? {};
      const who = by === null ? 'It was acknowledged' : `${by} has acknowledged it`;
      return [`${who}: no further alerts until it has ended`, note === null || note === '' ? '' : `Note: ${note}`];
    }
    case 'updated':
      return [...changeOf(previous, metricsCount, worst), worstText(first, facts), watched];
    case 'opened':
      if (metricsCount === 1 && first !== undefined) {
        return [`Since ${since}`, first.reason ?? '', watched];
      }
      return [
        `${counted(metricsCount, 'metric')} ${BEGINNINGS[commonKind(worst.map(({ kind }) => kind)) ?? 'other']} at ${since} or soon after`,
        worstText(first, facts),
        watched,
      ];
  }
}

function closingText(closing: Closing, facts: IncidentFacts, what: string, lasted: string): string {
  const isOne = facts.metricsCount === 1;
  switch (closing) {
    case 'adapted':
      return `${what} ${isOne ? 'has' : 'have'} kept the new values for ${lasted}: they are expected from now on`;
    case 'data_ended':
      return `${what} ${isOne ? 'sends' : 'send'} no more data, or ${isOne ? 'is' : 'are'} being relearnt: it is not known whether the values are normal again`;
    case 'excluded':
      return `${what} ${isOne ? 'was' : 'were'} excluded from analysis after ${lasted}`;
    case 'expected':
      return 'It turned out to be expected behaviour: there is nothing to do';
    case 'merged':
      return 'It turned out to be part of another incident, which has its own messages';
    case 'deleted':
      return 'The watcher was deleted: it sends no more messages about this';
    case 'withdrawn':
      return 'All of its anomalies were marked as expected or excluded from analysis: there is nothing to do';
    case 'several':
      return `The incident is closed after ${lasted}: ${endingCounts(facts.anomalies)}`;
  }
}

/** `2 metrics are as expected again, 1 metric has no further data to judge`, by the last anomaly of each metric. */
function endingCounts(anomalies: readonly AnomalyFacts[]): string {
  const last = new Map<number, AnomalyFacts>();
  for (const anomaly of anomalies) {
    if (anomaly.start >= (last.get(anomaly.metricId)?.start ?? -Infinity)) last.set(anomaly.metricId, anomaly);
  }
  const endings = [...last.values()].map(({ ending }) => ending ?? 'recovered');
  return (Object.keys(ENDED) as AnomalyEnding[])
    .map((ending) => [ending, endings.filter((other) => other === ending).length] as const)
    .filter(([, count]) => count > 0)
    .map(([ending, count]) => `${counted(count, 'metric')} ${ENDED[ending][count === 1 ? 0 : 1]}`)
    .join(', ');
}

/** How several metrics became anomalous, and how one or several came back. */
const BEGINNINGS = {
  missing_data: 'stopped sending data',
  flatline: 'stopped changing',
  other: 'began to behave unusually',
} as const;
const RETURNS = {
  missing_data: ['sends data again', 'send data again'],
  flatline: ['changes again', 'change again'],
  other: ['is back within the expected range', 'are back within the expected range'],
} as const;

const backText = (anomalies: readonly AnomalyFacts[], count: number): string =>
  RETURNS[commonKind(anomalies.map(({ kind }) => kind)) ?? 'other'][count === 1 ? 0 : 1];

/** What has become worse since the last message. */
function changeOf(previous: IncidentFacts['previous'], metricsCount: number, worst: readonly AnomalyFacts[]): string[] {
  if (previous === null) return [];
  const severity = worst[0]?.severity ?? previous.severity;
  const hasGrown = metricsCount > previous.metricsCount;
  const isWorse = severityLabel(severity) !== severityLabel(previous.severity) && severity > previous.severity;
  return [
    hasGrown ? `It has grown from ${counted(previous.metricsCount, 'metric')} to ${countText(metricsCount)}` : '',
    isWorse ? `It is now ${severityLabel(severity)}, it was ${severityLabel(previous.severity)}` : '',
  ];
}

function worstText(first: AnomalyFacts | undefined, facts: IncidentFacts): string {
  if (first === undefined) return '';
  const text = `${nameText(first.metric)} ${observedText(first, facts)}`;
  return facts.metricsCount === 1 ? text : `The worst: ${text}`;
}

/** Null for a single metric, which is its own origin. */
function originOf({ incident: { origins, metricsCount } }: IncidentFacts): string | null {
  const [first] = origins;
  if (first === undefined || metricsCount < 2) return null;
  return `${nameText(first.metric)} (${String(Math.round(100 * first.likelihood))}%): ${first.reason}`;
}
