import { type AlertContent } from '#libs/alerting';
import { alertsOf } from '../alertmanager/alert-labels.js';
import { rfc3339 } from '../delivery.js';
import { type WEBHOOK_PAYLOADS } from './webhook.service-definition.js';

export type WebhookPayload = (typeof WEBHOOK_PAYLOADS)[number];

interface Described {
  content: AlertContent;
  /** Unix seconds at which the message was created. */
  createdAt: number;
  /** Stays the same in all messages of the subject. */
  key: string;
  /** Unix seconds. */
  now: number;
}

/** The body in the form that is signed. */
export function bodyOf(payload: WebhookPayload, described: Described): string {
  return JSON.stringify(payload === 'alertmanager' ? alertmanagerBody(described) : ownBody(described));
}

function ownBody({ content, createdAt }: Described): object {
  const { org, watcher, links, event } = content;
  return {
    type: event.type,
    timestamp: rfc3339(createdAt),
    data: {
      ...event.data,
      org,
      watcher,
      links: { console: links.console, graph: links.graph, image: links.image },
    },
  };
}

/** Version 4 of the body that Alertmanager sends to webhooks. */
function alertmanagerBody({ content, key, now }: Described): object {
  const isResolved = content.phase === 'recovered';
  const alerts = alertsOf(content, {}, now).map((alert) => {
    const hasEnded = isResolved || Date.parse(alert.endsAt) <= now * 1000;
    return {
      status: hasEnded ? 'resolved' : 'firing',
      ...alert,
      endsAt: hasEnded ? alert.endsAt : '0001-01-01T00:00:00Z',
      fingerprint: fingerprintOf(alert.labels),
    };
  });
  return {
    version: '4',
    groupKey: key,
    truncatedAlerts: Math.max(content.metricsCount - content.items.length, 0),
    status: isResolved ? 'resolved' : 'firing',
    receiver: 'plumbline',
    groupLabels: { alertname: alerts[0]!.labels.alertname },
    commonLabels: commonOf(alerts.map(({ labels }) => labels)),
    commonAnnotations: commonOf(alerts.map(({ annotations }) => annotations)),
    externalURL: new URL(content.links.console).origin,
    alerts,
  };
}

function commonOf(maps: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const [first = {}, ...others] = maps;
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((other) => other[name] === value)),
  );
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const SEPARATOR = 0xff;

/** Like Prometheus: 64-bit FNV-1a over the sorted labels. */
export function fingerprintOf(labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
  const bytes = sorted.flatMap(([name, value]) => [...Buffer.from(name), SEPARATOR, ...Buffer.from(value), SEPARATOR]);
  let hash = FNV_OFFSET;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
  return hash.toString(16).padStart(16, '0');
}
