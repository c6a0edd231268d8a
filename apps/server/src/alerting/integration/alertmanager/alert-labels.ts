import { type AlertContent, type AlertItem } from '#libs/alerting';
import { rfc3339 } from '../delivery.js';

/** An alert in the format of Alertmanager. */
export interface PrometheusAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt: string;
  generatorURL: string;
}

/** Alertmanager ends an alert by itself if it is not repeated for this time. */
const LASTS_SECONDS = 600;
/** A test ends by itself. */
const TEST_SECONDS = 300;

/** The subjects of a message: its items, or itself when it has none. */
type Subject = Pick<AlertItem, 'labels' | 'severityLabel' | 'text'> & {
  metric: string | null;
  kind: string;
  start: number;
  end: number | null;
};

/**
 * One alert for each metric. Labels identify an alert, so they contain only values that do not change while it is open.
 * @param now Unix seconds
 */
export function alertsOf(
  content: AlertContent,
  extraLabels: Readonly<Record<string, string>>,
  now: number,
): PrometheusAlert[] {
  return subjectsOf(content, now).map((subject) => ({
    labels: labelsOf(content, subject, extraLabels),
    annotations: { summary: content.title, description: subject.text },
    startsAt: rfc3339(subject.start),
    endsAt: rfc3339(endOf(content, subject, now)),
    generatorURL: content.links.console,
  }));
}

function subjectsOf(content: AlertContent, now: number): Subject[] {
  if (content.items.length > 0) return [...content.items];
  const { kind, severityLabel, start, end, summary } = content;
  return [
    {
      metric: null,
      kind,
      labels: {},
      severityLabel: severityLabel ?? 'info',
      start: start ?? now,
      end,
      text: summary,
    },
  ];
}

function endOf({ phase, isTest, end }: AlertContent, subject: Subject, now: number): number {
  if (isTest) return now + TEST_SECONDS;
  if (phase === 'recovered') return Math.max(subject.end ?? end ?? now, subject.start);
  return subject.end ?? now + LASTS_SECONDS;
}

function labelsOf(
  content: AlertContent,
  { metric, kind, labels, severityLabel }: Subject,
  extraLabels: Readonly<Record<string, string>>,
): Record<string, string> {
  const own = {
    alertname: nameOf(content),
    ...(metric === null ? {} : { metric }),
    kind,
    severity: severityLabel,
    ...(content.watcher === null ? {} : { watcher: content.watcher.name }),
    ...(content.isTest ? { test: 'true' } : {}),
  };
  const all = Object.entries({ ...labels, ...extraLabels, ...own });
  return Object.fromEntries(all.filter(([, value]) => value !== '').map(([name, value]) => [labelName(name), value]));
}

function nameOf({ kind, items }: AlertContent): string {
  if (kind === 'threshold' || items.some((item) => item.kind === 'threshold')) return 'PlumblineThreshold';
  if (kind === 'anomaly') return 'PlumblineAnomaly';
  return kind === 'test' ? 'PlumblineTest' : 'PlumblineNotice';
}

/** `service.name` becomes `service_name`: not every Alertmanager accepts other names. */
function labelName(name: string): string {
  const plain = name.replace(/\W/g, '_');
  return /^\d/.test(plain) ? `_${plain}` : plain;
}
