import { Injectable } from '@nestjs/common';
import { type Destination } from '#libs/alerting';
import { Clock } from '../../../common/clock.js';
import { type Tx } from '../../../common/database/transactions.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { basicAuthorization, below, deliver, JSON_HEADERS, neverAfter400 } from '../delivery.js';
import { type ConnectedSettings, IntegrationSettingsService } from '../integration-settings.service.js';
import { alertsOf } from './alert-labels.js';

const PATH = '/api/v2/alerts';
const REPEAT_SECONDS = 240;

/** Alerts for an Alertmanager. It recognises a repeated alert by its labels, so there are no duplicates. */
@Injectable()
export class AlertmanagerChannel implements Channel {
  readonly id = 'alertmanager';
  readonly isIdempotent = true;
  readonly canUpdate = true;
  readonly repeatSeconds = REPEAT_SECONDS;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly outgoing: OutgoingClientService,
    private readonly clock: Clock,
  ) {}

  async missing(orgId: number, _destination?: Destination, tx?: Tx): Promise<string | null> {
    return (await this.settings.of(orgId, this.id, tx)) === null ? 'its address is missing' : null;
  }

  async send({ orgId, content }: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const settings = await this.settings.connected(orgId, this.id);
    // Alertmanager has no acknowledgement: people use a silence there.
    if (content.phase === 'acknowledged') return { thread: null };
    const now = Math.floor(this.clock.now());
    const request = {
      url: below(settings.url, PATH),
      headers: { ...JSON_HEADERS, ...authorization(settings) },
      body: JSON.stringify(alertsOf(content, settings.extra_labels, now)),
      signal,
    };
    await deliver(this.outgoing, request, { meaning: neverAfter400, now });
    return { thread: null };
  }
}

function authorization(settings: ConnectedSettings<'alertmanager'>): Record<string, string> {
  const { username, password, bearer_token: token } = settings;
  if (token !== null) return { Authorization: `Bearer ${token}` };
  if (username === null) return {};
  return { Authorization: basicAuthorization(username, password ?? '') };
}
