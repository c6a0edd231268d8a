import { Injectable } from '@nestjs/common';
import { type Destination } from '#libs/alerting';
import { Clock } from '../../../common/clock.js';
import { type Tx } from '../../../common/database/transactions.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { below, deliver, JSON_HEADERS, neverAfter400, subjectKey } from '../delivery.js';
import { IntegrationSettingsService } from '../integration-settings.service.js';
import { actionOf, eventOf, type PagerdutyAction } from './pagerduty-event.js';

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
