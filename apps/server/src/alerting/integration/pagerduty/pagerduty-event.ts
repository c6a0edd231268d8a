import { type AlertContent } from '#libs/alerting';
import { type SeverityLabel } from '#libs/contracts';
import { cut, rfc3339 } from '../delivery.js';

export type PagerdutyAction = 'trigger' | 'acknowledge' | 'resolve';

const SEVERITIES: Readonly<Record<SeverityLabel, string>> = {
  critical: 'critical',
  major: 'error',
  minor: 'warning',
  info: 'info',
};
const LONGEST_SUMMARY = 1024;
const MAX_ITEMS = 20;

export const actionOf = ({ phase }: AlertContent): PagerdutyAction =>
  (({ opened: 'trigger', updated: 'trigger', acknowledged: 'acknowledge', recovered: 'resolve' }) as const)[phase];

/** An event of the Events API v2. `key`: identifies the subject for PagerDuty. */
export function eventOf(content: AlertContent, action: PagerdutyAction, key: string, routingKey: string): object {
  const event = { routing_key: routingKey, event_action: action, dedup_key: key };
  if (action !== 'trigger') return event;
  const { links, start } = content;
  return {
    ...event,
    client: 'Plumbline',
    client_url: links.console,
    payload: {
      summary: cut(content.isTest ? `Test: ${content.title}` : content.title, LONGEST_SUMMARY),
      source: sourceOf(content),
      severity: content.severityLabel === null ? 'info' : SEVERITIES[content.severityLabel],
      ...(start === null ? {} : { timestamp: rfc3339(start) }),
      class: content.items[0]?.kind ?? content.kind,
      ...(content.watcher === null ? {} : { group: content.watcher.name }),
      custom_details: detailsOf(content),
    },
    links: [
      { href: links.console, text: 'Open in Plumbline' },
      ...(links.graph === null ? [] : [{ href: links.graph, text: 'Graph' }]),
    ],
    images: links.image === null ? [] : [{ src: links.image, href: links.console, alt: content.title }],
  };
}

/** PagerDuty expects the affected host or service. */
function sourceOf({ items, org }: AlertContent): string {
  const { host, instance, service, job } = items[0]?.labels ?? {};
  return host ?? instance ?? service ?? job ?? items[0]?.metric ?? org.name;
}

function detailsOf(content: AlertContent): object {
  const items = content.items.slice(0, MAX_ITEMS).map(({ metric, text }): [string, string] => [metric, text]);
  const facts: Record<string, string> = {};
  for (const [name, value] of content.facts) facts[name] = value;
  return {
    summary: content.summary,
    ...(content.origin === null ? {} : { likely_origin: content.origin }),
    ...facts,
    ...(content.metricsCount > 0 ? { metrics_count: content.metricsCount } : {}),
    ...(items.length > 0 ? { metrics: Object.fromEntries<string>(items) } : {}),
  };
}
