import { Injectable } from '@nestjs/common';
import { type AlertChannel } from '#libs/alerting';
import { type DetailCode, type ErrorDetail } from '#libs/contracts';
import { type Tx } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { type User } from '../../people/user/user.types.js';
import { UserService } from '../../people/user/user.service.js';
import { OutgoingRulesService } from '../../platform/outgoing/outgoing-rules.service.js';
import { ChannelRegistryService } from '../channel/channel-registry.service.js';
import { NamedChannelsService } from '../channel/named-channels.service.js';
import { isHttps, LIST_OF_FIELD, type RecipientsField, type WatcherFields } from './watcher-settings.js';
import { type WatcherSettings } from './watcher.types.js';

/** Channels that need an integration of the organisation. */
const SERVICES = ['pagerduty', 'alertmanager', 'webhook'] as const;

/** A requirement for users on a list. */
const NEEDS: Partial<Record<RecipientsField, { code: DetailCode; says: string; isMet: (user: User) => boolean }>> = {
  sms_users: {
    code: 'user_lacks_phone',
    says: 'has no phone number',
    isMet: ({ phoneNumber }) => phoneNumber !== null && phoneNumber !== '',
  },
  chat_mention_users: {
    code: 'user_lacks_chat_member',
    says: 'has no chat member id',
    isMet: ({ chatMemberId }) => chatMemberId !== null && chatMemberId !== '',
  },
};

/** Checks the requested settings of a watcher against the users and integrations of its organisation. */
@Injectable()
export class WatcherChecksService {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly channels: ChannelRegistryService,
    private readonly named: NamedChannelsService,
    private readonly outgoing: OutgoingRulesService,
  ) {}

  /**
   * The problems of the sent fields. The users in them cannot be removed until `tx` ends.
   * @param before the current watcher: its existing destinations are not checked again
   */
  async problems(orgId: number, before: WatcherSettings, fields: WatcherFields, tx: Tx): Promise<ErrorDetail[]> {
    const ofUsers = await this.recipientProblems(orgId, fields, tx);
    const named = new Set(ofUsers.map(({ field }) => field));
    const ofChannels = await this.connectionProblems(orgId, before, fields, tx);
    return [
      ...ofUsers,
      ...ofChannels.filter(({ field }) => !named.has(field)),
      ...(await this.addressProblems(before, fields)),
    ];
  }

  /** A channel that does not exist in the chat. This queries its provider, for which no transaction waits. */
  async channelProblems(
    orgId: number,
    before: Pick<WatcherSettings, 'chatChannel'> | null,
    { chat_channel: channel }: WatcherFields,
  ): Promise<ErrorDetail[]> {
    if (channel == null || channel === before?.chatChannel) return [];
    return this.named.problems(orgId, [{ field: 'chat_channel', channel }]);
  }

  private async recipientProblems(orgId: number, fields: WatcherFields, tx: Tx): Promise<ErrorDetail[]> {
    const names = Object.keys(LIST_OF_FIELD) as RecipientsField[];
    const ids = [...new Set(names.flatMap((field) => fields[field] ?? []))];
    if (ids.length === 0) return [];
    const users = new Map((await this.users.holdByIds(orgId, ids, tx)).map((user) => [user.id, user]));
    return names.flatMap((field): ErrorDetail[] => {
      const given = fields[field] ?? [];
      const unknown = given.filter((id) => users.get(id)?.state !== 'active');
      if (unknown.length > 0) {
        return [{ field, code: 'unknown_user', message: `${field}: there is no active user ${unknown.join(' or ')}` }];
      }
      const need = NEEDS[field];
      const lacking = given.filter((id) => need?.isMet(users.get(id)!) === false);
      if (!need || lacking.length === 0) return [];
      const message = lacking.map((id) => `user ${String(id)} ${need.says}`).join(', ');
      return [{ field, code: need.code, message: `${field}: ${message}` }];
    });
  }

  private async connectionProblems(
    orgId: number,
    before: WatcherSettings,
    fields: WatcherFields,
    tx: Tx,
  ): Promise<ErrorDetail[]> {
    const wanted: [field: string, channel: AlertChannel][] = SERVICES.filter(
      (service) => fields[service] === true && !before[service],
    ).map((service) => [service, service]);
    if ((fields.chat_mention_users ?? []).length > 0) wanted.push(['chat_mention_users', 'chat']);
    const problems: ErrorDetail[] = [];
    for (const [field, channel] of wanted) {
      if (await this.isConnected(orgId, channel, tx)) continue;
      problems.push({ field, code: 'not_connected', message: `${field} needs the integration ${channel}` });
    }
    return problems;
  }

  /** An address that does not use https is refused with a separate problem. */
  private async addressProblems(
    before: Pick<WatcherSettings, 'teamsChatWebhook'>,
    { teams_chat_webhook: address }: WatcherFields,
  ): Promise<ErrorDetail[]> {
    if (address == null || address === before.teamsChatWebhook || !isHttps(address)) return [];
    const problem = await this.outgoing.problemOf(address);
    if (problem === null) return [];
    const field = 'teams_chat_webhook';
    return [{ field, code: 'address_not_allowed', message: `${field}: ${problem}` }];
  }

  private async isConnected(orgId: number, id: AlertChannel, tx: Tx): Promise<boolean> {
    const channel = this.channels.find(id);
    if (channel !== undefined) return (await channel.missing(orgId, undefined, tx)) === null;
    return id === 'chat' && (await this.orgs.getById(orgId, tx)).chatApiTokenSealed !== null;
  }
}
