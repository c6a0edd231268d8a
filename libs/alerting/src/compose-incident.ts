import { severityLabel } from '#libs/contracts';
import { commonKind } from '#libs/wording';
import { type AnomalyFacts, type IncidentFacts } from './compose-facts.js';
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
  const until =
    end === null ? [] : [['Until', `${momentText(end, timezone)}, ${lastingText(end - incident.start)}`] as const];
  return {
    ...baseOf(facts),
    kind: 'anomaly',
    phase,
    title: titleOf(phase, label, subjectText(facts, worst)),
    summary: sentences(...summaryOf(facts, worst)),
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

/** For a single metric its event, for several the title of the incident. */
function subjectText(facts: IncidentFacts, [only, another]: readonly AnomalyFacts[]): string {
  const { incident, phase } = facts;
  const isSingle = incident.metricsCount === 1 && only !== undefined && another === undefined;
  if (!isSingle) return incident.title;
  return phase === 'recovered'
    ? `${nameText(only.metric)} is as expected again`
    : `${nameText(only.metric)} ${observedText(only, facts)}`;
}

function summaryOf(facts: IncidentFacts, worst: readonly AnomalyFacts[]): string[] {
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
