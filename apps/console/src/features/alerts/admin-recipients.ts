import { type Schema } from '../../lib/api';

type AdminAlert = Schema<'AdminAlertDto'>;

/** Who is to get an admin alert, as the form has it. */
export interface RecipientsDraft {
  /** Ids of users. */
  email: readonly number[];
  sms: readonly number[];
  chat: string;
}

/** Those that were named; none where the defaults of the organisation hold. */
export function draftOf({ named, alerts }: Pick<AdminAlert, 'named' | 'alerts'>): RecipientsDraft {
  if (!named) return { email: [], sms: [], chat: '' };
  const idsOf = (wanted: 'email' | 'sms'): number[] =>
    alerts.flatMap(({ method, user }) => (method === wanted && user !== null ? [user.id] : []));
  return { email: idsOf('email'), sms: idsOf('sms'), chat: alerts.find(({ method }) => method === 'chat')?.ref ?? '' };
}

/** What is sent to the API: each list is replaced whole. */
export function bodyOf(id: number, { email, sms, chat }: RecipientsDraft) {
  return { admin_alerts: [{ id, email_users: [...email], sms_users: [...sms], chat_channel: chat.trim() }] };
}

/** Active users as choices, and those that are chosen already; text messages need a number, mentions a member id. */
export function choicesOf(
  users: readonly Schema<'UserDto'>[],
  way: 'email' | 'sms' | 'chat',
  chosen: readonly number[],
): { value: string; label: string }[] {
  return users
    .filter(({ id, state, demo, phone_number: phone, chat_member_id: member }) => {
      const reachedBy = { email: true, sms: (phone ?? '') !== '', chat: (member ?? '') !== '' }[way];
      return (state === 'active' && !demo && reachedBy) || chosen.includes(id);
    })
    .map(({ id, name, email }) => ({ value: String(id), label: name || email }));
}
