import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { OutgoingClient } from '../../../platform/outgoing/outgoing-client.service.js';
import { ChannelError } from '../../channel/channel.errors.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { deliver, notConnected, subjectKey } from '../delivery.js';
import { IntegrationSettings } from '../integration-settings.service.js';
import { WebhookState } from './webhook-state.service.js';
import { bodyOf } from './webhook-body.js';
import { signatureHeaders } from './webhook-signature.js';
import { WEBHOOK_EVENTS } from './webhook.service-definition.js';

/** Signed JSON by POST; the receiver knows a message that it has seen by its id. */
@Injectable()
export class WebhookChannel implements Channel {
  readonly id = 'webhook';
  readonly isIdempotent = true;
  readonly canUpdate = true;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettings,
    private readonly state: WebhookState,
    private readonly outgoing: OutgoingClient,
    private readonly clock: Clock,
  ) {}

  async missing(orgId: number): Promise<string | null> {
    return (await this.settings.of(orgId, this.id)) === null ? 'its address is missing, or it is switched off' : null;
  }

  async send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const { id, orgId, content, createdAt } = message;
    const settings = await this.settings.of(orgId, this.id);
    if (settings === null) throw notConnected();
    const { type } = content.event;
    const isChoosable = (WEBHOOK_EVENTS as readonly string[]).includes(type);
    if (isChoosable && !settings.events.includes(type)) return { thread: null };
    const now = Math.floor(this.clock.now());
    const body = bodyOf(settings.payload, { content, createdAt, key: subjectKey(message), now });
    const signed = signatureHeaders({ id, timestamp: now, body }, await this.state.secrets(orgId));
    const request = { url: settings.url, headers: { 'Content-Type': 'application/json', ...signed }, body, signal };
    try {
      await deliver(() => this.outgoing.send(request), {
        meaning: ({ status }) => (status === 410 ? 'gone' : 'later'),
        now,
      });
    } catch (error) {
      if (error instanceof ChannelError && error.kind === 'gone') await this.state.switchOff(orgId, settings.url);
      throw error;
    }
    return { thread: null };
  }
}
