import { type AdminFacts } from './compose-facts.js';
import { baseOf, nameText, sentences, TITLE_LENGTH } from './compose-shared.js';
import { type AlertContent } from './content.js';
import { counted, lastingText, momentText, shortened } from './value-text.js';

const MAX_NAMED_METRICS = 10;

/** For administrators: problems of the service itself. */
export function composeAdmin(facts: AdminFacts): AlertContent {
  const { phase, name, org, since, now, affectedCount } = facts;
  const hasRecovered = phase === 'recovered';
  return {
    ...baseOf(facts),
    kind: 'admin',
    phase,
    title: shortened(`${hasRecovered ? 'Recovered: ' : ''}${name} (${org.name})`, TITLE_LENGTH),
    summary: sentences(
      facts.message,
      affectedCount > 0 ? affectedText(affectedCount, hasRecovered) : '',
      hasRecovered && since !== null ? `It lasted ${lastingText(now - since)}` : '',
    ),
    severity: null,
    severityLabel: null,
    start: since,
    end: hasRecovered ? now : null,
    items: [],
    metricsCount: affectedCount,
    origin: null,
    facts: rowsOf(facts),
    subject: { type: 'admin', id: facts.code },
  };
}

function affectedText(count: number, hasRecovered: boolean): string {
  const verb = hasRecovered ? (count === 1 ? 'was' : 'were') : count === 1 ? 'is' : 'are';
  return `${counted(count, 'metric')} ${verb} affected`;
}

function rowsOf({ phase, since, now, timezone, affectedMetrics, affectedCount }: AdminFacts): [string, string][] {
  const rows: [string, string][] = [];
  if (since !== null) rows.push(['Since', momentText(since, timezone)]);
  if (phase === 'recovered') rows.push(['Until', momentText(now, timezone)]);
  const named = affectedMetrics.slice(0, MAX_NAMED_METRICS).map(nameText);
  const more = affectedCount - named.length;
  if (named.length > 0) rows.push(['Affected', named.join(', ') + (more > 0 ? ` and ${String(more)} more` : '')]);
  return rows;
}
