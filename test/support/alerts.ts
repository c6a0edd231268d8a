import { type AlertChannel, type AlertContent, type Destination } from '#libs/alerting';
import { type AlertToSend } from '../../apps/server/src/alerting/alert/alert.types.js';
import {
  type Channel,
  type ChannelMessage,
  type ChannelReceipt,
} from '../../apps/server/src/alerting/channel/channel.types.js';
import { START } from './hand-clock.js';

interface Options {
  isIdempotent?: boolean;
  canUpdate?: boolean;
  repeatSeconds?: number | null;
}

/** A channel that records its messages, and rejects invalid ones. */
export class KeepingChannel implements Channel {
  readonly isIdempotent: boolean;
  readonly canUpdate: boolean;
  readonly repeatSeconds: number | null;
  /** Accepted messages, in order. */
  readonly taken: ChannelMessage[] = [];
  /** Number of messages passed to the channel, accepted or not. */
  tries = 0;
  /** May throw or wait. */
  onSend: (message: ChannelMessage, signal: AbortSignal) => unknown = () => undefined;
  whatIsMissing: string | null = null;
  /** Known places of the service; null if the service does not list them. */
  places: readonly string[] | null = null;
  /** The secrets given for listing places, in place of the stored one. */
  readonly askedWith: (string | undefined)[] = [];

  constructor(
    readonly id: AlertChannel,
    { isIdempotent = true, canUpdate = false, repeatSeconds = null }: Options = {},
  ) {
    this.isIdempotent = isIdempotent;
    this.canUpdate = canUpdate;
    this.repeatSeconds = repeatSeconds;
  }

  missing(): Promise<string | null> {
    return Promise.resolve(this.whatIsMissing);
  }

  unknownPlaces(_orgId: number, places: readonly string[], secret?: string): Promise<readonly string[]> {
    const { places: known } = this;
    this.askedWith.push(secret);
    return Promise.resolve(known === null ? [] : places.filter((place) => !known.includes(place)));
  }

  async send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    this.tries++;
    if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(message.id)) throw new Error('The id is no UUID');
    if (message.destination.channel !== this.id) throw new Error('The message is for another channel');
    if (message.content.org.id !== message.orgId) throw new Error('The message is of another organisation');
    await this.onSend(message, signal);
    const isKnown = this.isIdempotent && this.taken.some(({ id }) => id === message.id);
    const isRepeated = this.repeatSeconds !== null;
    if (!isKnown || isRepeated) this.taken.push(message);
    return { thread: message.thread ?? `thread of ${message.id}` };
  }

  /** Phases and titles of accepted messages. */
  get sentTitles(): string[] {
    return this.taken.map(({ content }) => `${content.phase}: ${content.title}`);
  }
}

export const mailTo = (recipient: string, userId: number | null = null): Destination => ({
  channel: 'email',
  recipient,
  userId,
  mentions: [],
});

export const to = (channel: AlertChannel, recipient = ''): Destination => ({
  channel,
  recipient,
  userId: null,
  mentions: [],
});

export function anAlert(orgId: number, overrides: Partial<AlertToSend> & { title?: string } = {}): AlertToSend {
  const { title = 'Latency of web-1 is too high', ...alert } = overrides;
  const phase = alert.phase ?? 'opened';
  const content: AlertContent = {
    kind: alert.kind ?? 'anomaly',
    phase,
    isTest: alert.kind === 'test',
    title,
    summary: 'It is three times what was expected.',
    severity: 71,
    severityLabel: 'major',
    start: START - 60,
    end: null,
    timezone: 'UTC',
    items: [],
    metricsCount: 1,
    origin: null,
    facts: [],
    links: { console: 'https://plumbline.example.org/', act: null, graph: null, image: null },
    org: { id: orgId, name: 'Example Ltd' },
    watcher: null,
    subject: { type: 'anomaly', id: '1' },
    event: { type: 'anomaly.opened', data: {} },
  };
  return {
    orgId,
    key: 'anomaly/1',
    kind: 'anomaly',
    phase,
    content,
    destinations: [mailTo('ann@example.org')],
    watcherId: null,
    watcherName: null,
    anomalyId: null,
    incidentId: null,
    metricId: null,
    ...alert,
  };
}
