import { severityLabel, type SeverityLabel } from '#libs/contracts';
import { anomalyText, furthestValue } from '#libs/wording';
import { type AnomalyFacts, type MessageFacts } from './compose-facts.js';
import { type AlertContent, type AlertItem, type AlertPhase } from './content.js';
import { shortened } from './value-text.js';

export const MAX_ITEMS = 20;
export const TITLE_LENGTH = 150;
/** Longer names of metrics are shortened in the middle in titles and sentences; items contain the full names. */
const NAME_LENGTH = 80;

type Row = readonly [string, string];

/** The shared part of all messages. */
export function baseOf(
  facts: MessageFacts,
): Pick<AlertContent, 'isTest' | 'timezone' | 'links' | 'org' | 'watcher' | 'event'> {
  const { timezone, links, org, watcher, event } = facts;
  return { isTest: false, timezone, links, org, watcher, event };
}

export function watcherRows({ watcher }: MessageFacts): Row[] {
  return watcher === null ? [] : [['Watcher', shortened(watcher.name, 100)]];
}

/** `Major: …`, `Recovered: …` */
export function titleOf(phase: AlertPhase | 'closed', label: SeverityLabel, text: string): string {
  const lead = {
    opened: capital(label),
    updated: capital(label),
    acknowledged: 'Acknowledged',
    recovered: 'Recovered',
    closed: 'Closed',
  };
  return shortened(`${lead[phase]}: ${text}`, TITLE_LENGTH);
}

/** Joins full sentences, each ending with punctuation; empty ones are omitted. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`))
    .map(capital)
    .join(' ');
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const nameText = (metric: string): string => shortened(metric, NAME_LENGTH);

export function worstFirst<T extends { severity: number; start: number }>(things: readonly T[]): T[] {
  return [...things].sort((a, b) => b.severity - a.severity || a.start - b.start);
}

/** The event, as a text that follows the name of the metric: `spiked to 84.2 ms (usual 3.4 to 4.9 ms)`. */
export const observedText = (anomaly: AnomalyFacts, { timezone: zone, now }: MessageFacts): string =>
  anomalyText(anomaly, { zone, now });

export function itemOf(anomaly: AnomalyFacts, facts: MessageFacts): AlertItem {
  const { anomalyId, metricId, metric, labels, kind, severity, start, end, lower, upper, unit, reason } = anomaly;
  return {
    anomalyId,
    metricId,
    metric,
    labels,
    kind,
    severity,
    severityLabel: severityLabel(severity),
    start,
    end,
    value: furthestValue(anomaly),
    lower,
    upper,
    unit,
    text: sentences(observedText(anomaly, facts), reason ?? ''),
  };
}
