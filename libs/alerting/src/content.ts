import { type AnomalyKind, type SeverityLabel } from '#libs/contracts';

/** `demo`: the mailbox of a demo, which records messages and sends nothing. */
export const ALERT_CHANNELS = [
  'email',
  'chat',
  'teams_chat',
  'sms',
  'pagerduty',
  'alertmanager',
  'demo',
  'webhook',
] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

export const ALERT_KINDS = ['anomaly', 'threshold', 'test', 'admin', 'summary'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The phase in the life of a subject that a message is about. */
export const ALERT_PHASES = ['opened', 'updated', 'acknowledged', 'recovered'] as const;
export type AlertPhase = (typeof ALERT_PHASES)[number];

/** The reason why nothing was sent. */
export const SUPPRESSIONS = [
  'expiration',
  'muted',
  'exclusion',
  'acknowledged',
  'filter',
  'budget',
  'flapping',
] as const;
export type Suppression = (typeof SUPPRESSIONS)[number];

/** One metric with unusual behaviour, or beyond its threshold. Times in Unix seconds. */
export interface AlertItem {
  metricId: number;
  metric: string;
  labels: Readonly<Record<string, string>>;
  anomalyId: number | null;
  kind: AnomalyKind | 'threshold';
  severity: number;
  severityLabel: SeverityLabel;
  start: number;
  end: number | null;
  /** Of an anomaly: the first value, or the peak if that is further outside of the expected range. */
  value: number | null;
  /** Expected range, or null if it is not known. */
  lower: number | null;
  upper: number | null;
  unit: string | null;
  /** One sentence: the observed and the expected values. */
  text: string;
}

/** A line of a summary: an incident with its link. */
export interface AlertEntry {
  /** Unix seconds. */
  timestamp: number;
  severityLabel: SeverityLabel;
  text: string;
  url: string | null;
}

/**
 * The content of a message, with the same text for every channel; channels format it and add nothing. All texts are
 * plain text. Times in Unix seconds.
 */
export interface AlertContent {
  kind: AlertKind;
  phase: AlertPhase;
  /** For `recovered`: closed although the metrics are not known to be normal again; the title says why. */
  isClosed?: boolean;
  /** True for a real message that tests the channel; every channel marks it as a test. */
  isTest: boolean;
  /** One line of up to 150 characters: what, where, how severe. */
  title: string;
  /** One or two sentences. */
  summary: string;
  severity: number | null;
  severityLabel: SeverityLabel | null;
  start: number | null;
  end: number | null;
  /** IANA zone in which times are written. */
  timezone: string;
  /** Worst first, at most 20. */
  items: readonly AlertItem[];
  /** Number of all metrics, including those that are not in `items`. */
  metricsCount: number;
  /** For a summary: the events, worst first, at most 10; otherwise omitted. */
  entries?: readonly AlertEntry[];
  /** Likely origin of an incident in a sentence. */
  origin: string | null;
  /** Names and values, one per line, that do not belong to an item. */
  facts: readonly (readonly [string, string])[];
  links: {
    /** Page of the console. */
    console: string;
    /** The page for acknowledging or training; null if neither applies. */
    act: string | null;
    graph: string | null;
    image: string | null;
  };
  org: { id: number; name: string };
  watcher: { id: number; name: string } | null;
  /** Permanent identifier of the subject: `incident` `41`, `watcher-metric` `5-455`. */
  subject: { type: 'anomaly' | 'incident' | 'watcher-metric' | 'admin' | 'test' | 'summary'; id: string };
  /** Type and record of contract 8.1 for receivers that are programs. */
  event: { type: string; data: Readonly<Record<string, unknown>> };
}

/** The destination of a message. */
export interface Destination {
  channel: AlertChannel;
  /**
   * email: address; sms: number; chat: channel name or id; teams_chat: a reference to the address of the workflow,
   * which is a secret; demo: the owner of the mailbox; else empty: the connected service of the organisation.
   */
  recipient: string;
  /** The user with this address or number. */
  userId: number | null;
  /** chat: member ids that are mentioned. */
  mentions: readonly string[];
}

/** Equal for the same destination: one message is sent to it, however many watchers use it. */
export const destinationKey = ({ channel, recipient }: Destination): string => `${channel}:${recipient}`;
