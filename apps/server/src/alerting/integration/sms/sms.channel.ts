import { Injectable } from '@nestjs/common';
import { type Destination } from '#libs/alerting';
import { Clock } from '../../../common/clock.js';
import { type Tx } from '../../../common/database/transactions.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type OutgoingAnswer } from '../../../platform/outgoing/outgoing.types.js';
import { ChannelError } from '../../channel/channel.errors.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { basicAuthorization, below, deliver } from '../delivery.js';
import { IntegrationSettingsService } from '../integration-settings.service.js';
import { smsText } from './sms-text.js';

/**
 * Errors of the provider that are about the number and stay: invalid, not reachable by SMS, in a country that is not
 * served, unsubscribed.
 */
const ABOUT_THE_NUMBER = new Set([21_211, 21_214, 21_217, 21_408, 21_610, 21_612, 21_614]);

/** Texts to telephones. The provider has no key by which it would know a text again. */
@Injectable()
export class SmsChannel implements Channel {
  readonly id = 'sms';
  readonly isIdempotent = false;
  readonly canUpdate = false;
  readonly repeatSeconds = null;

  constructor(
    private readonly settings: IntegrationSettingsService,
    private readonly outgoing: OutgoingClientService,
    private readonly clock: Clock,
  ) {}

  async missing(orgId: number, _destination?: Destination, tx?: Tx): Promise<string | null> {
    return (await this.settings.of(orgId, this.id, tx)) === null ? 'account, token or sender are missing' : null;
  }

  async send({ orgId, content, destination }: ChannelMessage, signal: AbortSignal): Promise<ChannelReceipt> {
    const settings = await this.settings.connected(orgId, this.id);
    const { account_sid: account, auth_token: token, from_number: from } = settings;
    const request = {
      url: below(settings.api_base_url, `/2010-04-01/Accounts/${account}/Messages.json`),
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Authorization: basicAuthorization(account, token),
      },
      body: new URLSearchParams({ To: destination.recipient, From: from, Body: smsText(content) }).toString(),
      signal,
    };
    try {
      await deliver(this.outgoing, request, { meaning: meaningOf, now: this.clock.now() });
    } catch (error) {
      if (error instanceof ChannelError && error.kind === 'never') {
        throw new ChannelError('never', 'the provider does not take the number');
      }
      throw error;
    }
    return { thread: null };
  }
}

function meaningOf({ status, body }: OutgoingAnswer): ChannelError['kind'] {
  return status === 400 && ABOUT_THE_NUMBER.has(codeIn(body)) ? 'never' : 'later';
}

function codeIn(body: Buffer): number {
  try {
    const { code } = JSON.parse(body.toString()) as { code?: unknown };
    return typeof code === 'number' ? code : 0;
  } catch {
    return 0;
  }
}
