import { type Destination } from '#libs/alerting';
import { type Org, type RecipientList } from '../../people/org/org.types.js';
import { type User } from '../../people/user/user.types.js';
import { serverReference } from '../channel/server-reference.functions.js';
import { demoMailboxOf } from './demo-mailbox.functions.js';
import { type Watcher } from './watcher.types.js';

/** The destinations of an organisation for watchers without their own. */
export interface DefaultDestinations {
  org: Org;
  lists: Readonly<Record<RecipientList, readonly number[]>>;
  /** The users of all lists, by id. */
  users: ReadonlyMap<number, User>;
}

type WatcherChannels = Pick<
  Watcher,
  'id' | 'recipients' | 'chatChannel' | 'teamsChatWebhook' | 'pagerduty' | 'alertmanager' | 'webhook'
>;

/** Users in the lists of a watcher and in the defaults. */
export function usersNamed(watchers: readonly WatcherChannels[], lists: DefaultDestinations['lists']): number[] {
  const own = watchers.flatMap(({ recipients }) => Object.values(recipients).flat());
  return [...new Set([...own, ...Object.values(lists).flat()])];
}

/**
 * The destinations of the alerts of a watcher. One without channel and recipient uses the channel and the lists of the
 * organisation. Users that are not active, or lack the address, are skipped. In a demo, whose anomalies are invented,
 * such a watcher writes to the demo mailbox and to no person.
 */
export function destinationsOf(watcher: WatcherChannels, { org, lists, users }: DefaultDestinations): Destination[] {
  const { recipients, pagerduty, alertmanager, webhook, teamsChatWebhook } = watcher;
  if (usesDemoMailbox(watcher, org)) return [demoMailboxOf(watcher)];
  const hasOwn = hasOwnChannel(watcher);
  const [email, sms, mentioned] = hasOwn
    ? [recipients.email, recipients.sms, recipients.chat_mentions]
    : [lists.email, lists.sms, lists.chat_mentions];
  const active = (ids: readonly number[]): User[] =>
    ids.flatMap((id) => users.get(id) ?? []).filter(({ state, demo }) => state === 'active' && !demo);
  const mentions = active(mentioned).flatMap(({ chatMemberId }) => chatMemberId ?? []);

  const found: Destination[] = [];
  for (const user of active(email)) {
    if (user.email !== null) found.push(toUser('email', user.email, user));
  }
  for (const user of active(sms)) {
    if (user.phoneNumber !== null && user.phoneNumber !== '') found.push(toUser('sms', user.phoneNumber, user));
  }
  const channel = watcher.chatChannel ?? (hasOwn && mentioned.length === 0 ? null : defaultChannel(org));
  if (channel !== null) found.push({ channel: 'chat', recipient: channel, userId: null, mentions });
  if (teamsChatWebhook !== null) found.push(toService('teams_chat', serverReference(teamsChatWebhook)));
  if (pagerduty) found.push(toService('pagerduty'));
  if (alertmanager) found.push(toService('alertmanager'));
  if (webhook) found.push(toService('webhook'));
  return found;
}

/** True if its messages are only recorded in the mailbox of a demo. */
export const usesDemoMailbox = (watcher: WatcherChannels, { isDemo }: Pick<Org, 'isDemo'>): boolean =>
  isDemo && !hasOwnChannel(watcher);

function hasOwnChannel({
  recipients,
  chatChannel,
  teamsChatWebhook,
  pagerduty,
  alertmanager,
  webhook,
}: WatcherChannels): boolean {
  return (
    [recipients.email, recipients.sms, recipients.chat_mentions].some((list) => list.length > 0) ||
    [chatChannel, teamsChatWebhook].some((channel) => channel !== null) ||
    [pagerduty, alertmanager, webhook].includes(true)
  );
}

function defaultChannel(org: Org): string | null {
  return org.chatApiTokenSealed === null || org.defaultChatChannel === '' ? null : org.defaultChatChannel;
}

function toUser(channel: 'email' | 'sms', recipient: string, { id }: User): Destination {
  return { channel, recipient, userId: id, mentions: [] };
}

function toService(channel: Destination['channel'], recipient = ''): Destination {
  return { channel, recipient, userId: null, mentions: [] };
}
