import { Injectable } from '@nestjs/common';
import { type AlertContent, type Destination } from '#libs/alerting';
import { type SeverityLabel } from '#libs/contracts';
import { Clock } from '../../../common/clock.js';
import { type Tx } from '../../../common/database/transactions.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { below, cut, deliver, JSON_HEADERS, neverAfter400, rfc3339, subjectKey } from '../delivery.js';
import { IntegrationSettingsService } from '../integration-settings.service.js';

export type PagerdutyAction = 'trigger' | 'acknowledge' | 'resolve';

const SEVERITIES: Readonly<Record<SeverityLabel, string>> = {
  critical: 'critical',
  major: 'error',
  minor: 'warning',
  info: 'info',
};
const LONGEST_SUMMARY = 1024;
const MAX_ITEMS = 20;

const PATH = '/v2/enqueue';

/** Events for PagerDuty, which identifies a subject by its key: a repeated event has no effect. */
@Injectable()
export class PagerdutyChannel implements Channel {
  readonly id = 'pagerduty';
  readonly isIdempotent = true;
  readonly canUpdate = true;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly outgoing: OutgoingClientService,
    private readonly clock: Clock,
  ) {}

  async missing(orgId: number, _destination?: Destination, tx?: Tx): Promise<string | null> {
    return (await this.settings.of(orgId, this.id, tx)) === null ? 'its integration key is missing' : null;
  }

  async send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const { content } = message;
    await this.enqueue(message, actionOf(content), signal);
    // A test that stays open would wake a person until it is closed manually.
    if (content.isTest && actionOf(content) === 'trigger') await this.enqueue(message, 'resolve', signal);
    return { thread: subjectKey(message) };
  }

  private async enqueue(message: ChannelMessage, action: PagerdutyAction, signal: AbortSignal): Promise<void> {
    const settings = await this.settings.connected(message.orgId, this.id);
    const request = {
      url: below(settings.api_base_url, PATH),
      headers: JSON_HEADERS,
      body: JSON.stringify(eventOf(message.content, action, subjectKey(message), settings.routing_key)),
      signal,
    };
    await deliver(this.outgoing, request, { meaning: neverAfter400, now: this.clock.now() });
  }
}

const actionOf = ({ phase }: AlertContent): PagerdutyAction =>
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
