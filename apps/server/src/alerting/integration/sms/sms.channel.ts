import { Injectable } from '@nestjs/common';
import { type AlertContent, type Destination, shortened } from '#libs/alerting';
import { Clock } from '../../../common/clock.js';
import { type Tx } from '../../../common/database/transactions.js';
import { OutgoingClientService } from '../../../platform/outgoing/outgoing-client.service.js';
import { type OutgoingAnswer } from '../../../platform/outgoing/outgoing.types.js';
import { ChannelError } from '../../channel/channel.errors.js';
import { type Channel, type ChannelMessage, type ChannelReceipt } from '../../channel/channel.types.js';
import { basicAuthorization, below, cut, deliver } from '../delivery.js';
import { IntegrationSettingsService } from '../integration-settings.service.js';

/** Two parts of a text with 16-bit characters, four in the default alphabet. */
const LONGEST_TEXT = 300;
const MAX_NAMED = 10;
const LONGEST_NAME = 40;

/** One character outside the GSM alphabet doubles the cost of a text. */
const TELEPHONE_SIGNS: Readonly<Record<string, string>> = {
  '−': '-',
  '–': '-',
  µ: 'u',
  '“': '"',
  '”': '"',
  '…': '...',
};

/** Permanent errors about the number: invalid, not reachable by SMS, in a country that is not served, unsubscribed. */
const ABOUT_THE_NUMBER = new Set([21_211, 21_214, 21_217, 21_408, 21_610, 21_612, 21_614]);

/** Text messages to phones. The provider has no key to recognise a repeated message. */
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

/** One short text: the title, since when and why, or the names of many metrics; the link is always complete. */
export function smsText(content: AlertContent): string {
  const { title, summary, links, kind, metricsCount } = content;
  const room = LONGEST_TEXT - links.console.length - 1;
  const isOfMany = kind === 'threshold' && metricsCount > 1;
  const text = isOfMany ? `${title}.${namesOf(content, room - title.length - 1)}` : `${title}. ${summary}`;
  return `${cut(
    text.replace(/[−–µ“”…]/g, (sign) => TELEPHONE_SIGNS[sign]!),
    room,
  )} ${links.console}`;
}

/** The first ten names, as far as there is room for them, and how many more there are. */
function namesOf({ items, metricsCount }: AlertContent, room: number): string {
  const named = items.slice(0, MAX_NAMED).map(({ metric }) => shortened(metric, LONGEST_NAME));
  for (let count = named.length; count > 0; count--) {
    const left = metricsCount - count;
    const text = ` ${named.slice(0, count).join(', ')}${left > 0 ? ` and ${left.toLocaleString('en-US')} more` : ''}.`;
    if (text.length <= room) return text;
  }
  return '';
}
