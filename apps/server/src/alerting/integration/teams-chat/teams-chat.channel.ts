import { Injectable } from '@nestjs/common';
import { type Destination } from '#libs/alerting';
import { Clock } from '../../../common/clock.js';
import { OutgoingClient } from '../../../platform/outgoing/outgoing-client.service.js';
import { AlertPictures } from '../../channel/alert-pictures.service.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { deliver, notConnected } from '../delivery.js';
import { IntegrationSettings } from '../integration-settings.service.js';
import { CARD_PICTURE, teamsMessage } from './teams-card.js';

/** The workflow was deleted, or its address has another signature now. */
const GONE = new Set([401, 403, 404, 410]);
/** Of this message: too large, or no card. */
const NEVER = new Set([400, 413, 415]);

/** Alerts as cards that a workflow of Teams posts to its channel. Each phase is a card: a posted one cannot be changed. */
@Injectable()
export class TeamsChatChannel implements Channel {
  readonly id = 'teams_chat';
  /** A workflow posts whatever it is sent, as often as it is sent it. */
  readonly isIdempotent = false;
  readonly canUpdate = false;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettings,
    private readonly pictures: AlertPictures,
    private readonly outgoing: OutgoingClient,
    private readonly clock: Clock,
  ) {}

  async missing(orgId: number, destination?: Destination): Promise<string | null> {
    if (destination !== undefined && destination.recipient !== '') return null;
    return (await this.settings.of(orgId, this.id)) === null ? 'the address of its workflow is missing' : null;
  }

  async send({ orgId, content, destination }: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const url = destination.recipient === '' ? await this.addressOf(orgId) : destination.recipient;
    const body = JSON.stringify(teamsMessage(content, await this.pictures.find(content, CARD_PICTURE)));
    const request = { url, body, signal, headers: { 'Content-Type': 'application/json' } };
    await deliver(() => this.outgoing.send(request), {
      meaning: ({ status }) => (GONE.has(status) ? 'gone' : NEVER.has(status) ? 'never' : 'later'),
      now: this.clock.now(),
    });
    return { thread: null };
  }

  private async addressOf(orgId: number): Promise<string> {
    const settings = await this.settings.of(orgId, this.id);
    if (settings === null) throw notConnected();
    return settings.teams_chat_webhook;
  }
}
