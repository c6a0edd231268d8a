import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Destination } from '#libs/alerting';
import { Clock } from '../../../common/clock.js';
import { Transactions, type Tx } from '../../../common/database/transactions.js';
import { OrgService } from '../../../people/org/org.service.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { ChannelError } from '../../channel/channel.errors.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { deliver, JSON_HEADERS, subjectKey } from '../delivery.js';
import { IntegrationActsService } from '../integration-acts.service.js';
import { IntegrationSettingsService } from '../integration-settings.service.js';
import { type StoredValues } from '../service-definition.types.js';
import { SettingsStoreService } from '../settings-store.service.js';
import { bodyOf } from './webhook-body.js';
import { isChosen } from './webhook-events.service.js';
import { WEBHOOK } from './webhook.service-definition.js';

const PREFIX = 'whsec_';

/** Signed JSON by POST; the receiver recognises a repeated message by its id. */
@Injectable()
export class WebhookChannel implements Channel {
  readonly id = 'webhook';
  readonly isIdempotent = true;
  readonly canUpdate = true;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly outgoing: OutgoingClientService,
    private readonly clock: Clock,
    private readonly store: SettingsStoreService,
    private readonly orgs: OrgService,
    private readonly acts: IntegrationActsService,
    private readonly transactions: Transactions,
  ) {}

  async missing(orgId: number, _destination?: Destination, tx?: Tx): Promise<string | null> {
    return (await this.settings.of(orgId, this.id, tx)) === null
      ? 'its address is missing, or it is switched off'
      : null;
  }

  async send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const { id, orgId, content, createdAt } = message;
    const settings = await this.settings.connected(orgId, this.id);
    if (!isChosen(settings, content.event.type)) return { thread: null };
    const now = Math.floor(this.clock.now());
    const body = bodyOf(settings.payload, { content, createdAt, key: subjectKey(message), now });
    const signed = signatureHeaders({ id, timestamp: now, body }, await this.secrets(orgId));
    const request = { url: settings.url, headers: { ...JSON_HEADERS, ...signed }, body, signal };
    try {
      await deliver(this.outgoing, request, {
        meaning: ({ status }) => (status === 410 ? 'gone' : 'later'),
        now,
      });
    } catch (error) {
      if (error instanceof ChannelError && error.kind === 'gone') await this.switchOff(orgId, settings.url);
      throw error;
    }
    return { thread: null };
  }

  /** The secrets that currently sign: the current one first, and the previous one for a day after the change. */
  private async secrets(orgId: number): Promise<string[]> {
    const values = await this.store.read(orgId, WEBHOOK);
    const { secret, previous_secret: previous, previous_secret_until: until } = values;
    const isValid = typeof until === 'number' && until > this.clock.now();
    return [secret, isValid ? previous : undefined].filter((text) => typeof text === 'string');
  }

  /** The receiver wants no more messages. An address that was changed in the meantime is kept. */
  private async switchOff(orgId: number, url: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.store.read(orgId, WEBHOOK, tx);
      if (before.url !== url || before.enabled === false) return;
      const after: StoredValues = { ...before, enabled: false };
      const why = ' Its receiver answered 410: it accepts no more messages.';
      await this.acts.recordChange(null, orgId, WEBHOOK, { before, after, why }, tx);
      await this.store.write(orgId, WEBHOOK, after, tx);
    });
  }
}

interface Signed {
  id: string;
  /** Unix seconds of this try. */
  timestamp: number;
  body: string;
}

/** Headers of Standard Webhooks: one signature for each secret. */
function signatureHeaders({ id, timestamp, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const signed = `${id}.${String(timestamp)}.${body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
