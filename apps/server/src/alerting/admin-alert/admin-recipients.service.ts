import { Injectable } from '@nestjs/common';
import { type Destination } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { UserService } from '../../people/user/user.service.js';
import { type User } from '../../people/user/user.types.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { type AdminAlertSettings } from './admin-alert.types.js';

/** The recipients of an admin alert. */
export interface AdminRecipients {
  email: readonly User[];
  sms: readonly User[];
  /** Empty: none. */
  chatChannel: string;
}

/** Whether users or channels were named; otherwise the defaults of the organisation apply. */
export const namesRecipients = ({ emailUsers, smsUsers, chatChannel }: AdminAlertSettings): boolean =>
  emailUsers.length > 0 || smsUsers.length > 0 || chatChannel !== '';

/** Finds the recipients of admin alerts: those that were named, else the organisation's defaults for administrators. */
@Injectable()
export class AdminRecipientsService {
  constructor(
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly channels: ChannelRegistryService,
  ) {}

  async find(orgId: number, settings: AdminAlertSettings, tx?: Tx): Promise<AdminRecipients> {
    const { emailUsers, smsUsers, chatChannel } = settings;
    const defaults = namesRecipients(settings) ? null : await this.orgs.listRecipients(orgId, tx);
    const [email, sms] = [defaults?.admin_email ?? emailUsers, defaults?.admin_sms ?? smsUsers];
    const found = await this.users.findByIds(orgId, [...new Set([...email, ...sms])], tx);
    const active = new Map(found.filter(({ state }) => state === 'active').map((user) => [user.id, user]));
    const those = (ids: readonly number[]): User[] => ids.flatMap((id) => active.get(id) ?? []);
    return { email: those(email), sms: those(sms).filter(({ phoneNumber }) => phoneNumber), chatChannel };
  }

  /**
   * The same as destinations; programs are notified by the webhook, if one is connected. Named recipients get it by the
   * channel for which they are named: if that does not work, it fails. The defaults only use channels that are
   * connected.
   */
  async destinations(orgId: number, settings: AdminAlertSettings, tx: Tx): Promise<Destination[]> {
    const { email, sms, chatChannel } = await this.find(orgId, settings, tx);
    const destination = (
      channel: Destination['channel'],
      recipient: string,
      userId: number | null = null,
    ): Destination => {
      return { channel, recipient, userId, mentions: [] };
    };
    const isThere = async ({ channel, ...rest }: Destination): Promise<boolean> => {
      const found = this.channels.find(channel);
      return found !== undefined && (await found.missing(orgId, { channel, ...rest }, tx)) === null;
    };
    const toWebhook = destination('webhook', '');
    const toPeople = [
      ...email.flatMap(({ id, email: address }) => (address ? [destination('email', address, id)] : [])),
      ...sms.map(({ id, phoneNumber }) => destination('sms', phoneNumber!, id)),
      ...(chatChannel === '' ? [] : [destination('chat', chatChannel)]),
    ];
    const asked = namesRecipients(settings) ? [toWebhook] : [...toPeople, toWebhook];
    const there = await Promise.all(asked.map(isThere));
    const open = asked.filter((_, index) => there[index]);
    return namesRecipients(settings) ? [...toPeople, ...open] : open;
  }
}
