import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Destination } from '#libs/alerting';
import { Clock } from '../../../common/clock.js';
import { type Tx } from '../../../common/database/transactions.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { AlertPicturesService } from '../../channel/alert-pictures.service.js';
import { ChannelError } from '../../channel/channel.errors.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { ServerAddressesService } from '../../channel/server-addresses.service.js';
import { deliver, JSON_HEADERS } from '../delivery.js';
import { IntegrationSettingsService } from '../integration-settings.service.js';
import { CARD_PICTURE, teamsMessage } from './teams-card.js';

/** The workflow was deleted, or its address has a new signature. */
const GONE = new Set([401, 403, 404, 410]);
/** Specific to this message: too large, or not a card. */
const NEVER = new Set([400, 413, 415]);

const NO_LONGER_SET = 'the address of its workflow is no longer set';

/** Alerts as cards that a workflow of Teams posts to its channel. Each phase is a card: a posted one cannot be changed. */
@Injectable()
export class TeamsChatChannel implements Channel, OnModuleInit {
  readonly id = 'teams_chat';
  /** A workflow posts every message that it receives, also repeated ones. */
  readonly isIdempotent = false;
  readonly canUpdate = false;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly pictures: AlertPicturesService,
    private readonly outgoing: OutgoingClientService,
    private readonly addresses: ServerAddressesService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.addresses.register(async (orgId) => {
      const settings = await this.settings.of(orgId, this.id);
      return settings === null ? [] : [settings.teams_chat_webhook];
    });
  }

  async missing(orgId: number, destination?: Destination, tx?: Tx): Promise<string | null> {
    const reference = destination?.recipient ?? '';
    if (reference !== '') return (await this.addresses.find(orgId, reference)) === null ? NO_LONGER_SET : null;
    return (await this.settings.of(orgId, this.id, tx)) === null ? 'the address of its workflow is missing' : null;
  }

  async send(message: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const { orgId, content, destination } = message;
    const url = await this.addressOf(orgId, destination.recipient);
    const body = JSON.stringify(teamsMessage(content, await this.pictures.findFor(message, CARD_PICTURE)));
    const request = { url, body, signal, headers: JSON_HEADERS };
    await deliver(this.outgoing, request, {
      meaning: ({ status }) => (GONE.has(status) ? 'gone' : NEVER.has(status) ? 'never' : 'later'),
      now: this.clock.now(),
    });
    return { thread: null };
  }

  private async addressOf(orgId: number, reference: string): Promise<string> {
    if (reference !== '') {
      const address = await this.addresses.find(orgId, reference);
      if (address === null) throw new ChannelError('never', NO_LONGER_SET);
      return address;
    }
    return (await this.settings.connected(orgId, this.id)).teams_chat_webhook;
  }
}
