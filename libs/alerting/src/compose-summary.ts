import { severityLabel } from '#libs/contracts';
import { type SummaryFacts } from './compose-facts.js';
import { baseOf, TITLE_LENGTH, worstFirst } from './compose-shared.js';
import { type AlertContent } from './content.js';
import { counted, countText, lastingText, momentText, shortened } from './value-text.js';

const MAX_ENTRIES = 10;
const ENTRY_LENGTH = 140;
const PERIODS = { daily: 'Day', weekly: 'Week', monthly: 'Month' } as const;

/** A summary of a watcher's day, week or month. */
export function composeSummary(facts: SummaryFacts): AlertContent {
  const { counts, timezone, frequency, watcher, from, until } = facts;
  const worst = worstFirst(facts.incidents);
  const what = counts.incidents === 0 ? 'no incidents' : counted(counts.incidents, 'incident');
  const severity = worst[0]?.severity ?? null;
  return {
    ...baseOf(facts),
    kind: 'summary',
    phase: 'opened',
    title: shortened(`${PERIODS[frequency]} of ${watcher.name}: ${what}`, TITLE_LENGTH),
    summary: summaryOf(facts),
    severity,
    severityLabel: severity === null ? null : severityLabel(severity),
    start: from,
    end: until,
    items: [],
    metricsCount: counts.metrics,
    entries: worst.slice(0, MAX_ENTRIES).map((incident) => ({
      timestamp: incident.start,
      severityLabel: severityLabel(incident.severity),
      text: entryText(incident),
      url: incident.url,
    })),
    origin: null,
    facts: [
      ['From', momentText(from, timezone)],
      ['Until', momentText(until, timezone)],
      [
        'Anomalies',
        `${countText(counts.anomalies)} on ${counted(counts.metrics, 'metric')} of ${countText(counts.metricsWatched)}`,
      ],
      ['Still open', countText(counts.stillOpen)],
      ['Messages', `${countText(counts.messagesSent)} sent, ${countText(counts.messagesSuppressed)} suppressed`],
    ],
    subject: { type: 'summary', id: `${String(watcher.id)}-${String(until)}` },
  };
}

function summaryOf({ counts, frequency, anomaliesBefore, incidents }: SummaryFacts): string {
  const period = PERIODS[frequency].toLowerCase();
  if (counts.incidents === 0)
    return `A quiet ${period}: nothing unusual on ${counted(counts.metricsWatched, 'metric')}.`;
  const shown = Math.min(MAX_ENTRIES, incidents.length);
  const texts = [`${counted(counts.incidents, 'incident')} with ${counted(counts.anomalies, 'anomaly', 'anomalies')}.`];
  if (anomaliesBefore !== null)
    texts.push(`The ${period} before had ${counted(anomaliesBefore, 'anomaly', 'anomalies')}.`);
  if (shown < counts.incidents) texts.push(`Here are the ${String(shown)} worst.`);
  return texts.join(' ');
}

/** Channels add the dates: titles contain only the time of day. */
function entryText({ title, start, end }: SummaryFacts['incidents'][number]): string {
  return `${shortened(title, ENTRY_LENGTH)} (${end === null ? 'still open' : lastingText(end - start)})`;
}
