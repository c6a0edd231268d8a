import { type Schema } from '../../lib/api';

/** Lists of PUT /org, and their members in the answer of GET /org/info. */
const LISTS = {
  email_users: 'email',
  sms_users: 'sms',
  chat_mention_users: 'chat_mentions',
  admin_email_users: 'admin_email',
  admin_sms_users: 'admin_sms',
} as const;

export type RecipientList = keyof typeof LISTS;
export const RECIPIENT_LISTS = Object.keys(LISTS) as RecipientList[];

type Recipients = Schema<'AlertRecipientsDto'>;
/** Ids of users. */
export type RecipientIds = Record<RecipientList, number[]>;

/** The users in a list. */
export const usersIn = (recipients: Recipients, list: RecipientList) => recipients[LISTS[list]];

/** User ids of all lists. */
export const idsOf = (recipients: Recipients): RecipientIds =>
  Object.fromEntries(
    RECIPIENT_LISTS.map((list) => [list, usersIn(recipients, list).map(({ id }) => id)]),
  ) as RecipientIds;

/** The lists that differ: each is replaced as a whole. */
export const changedLists = (before: RecipientIds, after: RecipientIds): Partial<RecipientIds> =>
  Object.fromEntries(
    RECIPIENT_LISTS.filter((list) => before[list].join() !== after[list].join()).map((list) => [list, after[list]]),
  );

/** The channel of a list. */
export const channelOf = (list: RecipientList): 'email' | 'sms' | 'chat' =>
  list.endsWith('email_users') ? 'email' : list.endsWith('sms_users') ? 'sms' : 'chat';
