import { type Schema } from '../../lib/api';

type AdminAlert = Schema<'AdminAlertDto'>;

/** Minutes, as typed. */
interface TimesDraft {
  wait: number | string;
  expiration: number | string;
}

const MINUTE = 60;

/** Minutes that the API accepts. */
export const TIMES: Readonly<Record<keyof TimesDraft, { min: number; max: number }>> = {
  wait: { min: 5, max: 1440 },
  expiration: { min: 5, max: 10_080 },
};

/** True if both times can be sent. */
export const areSound = (draft: TimesDraft): boolean =>
  (['wait', 'expiration'] as const).every((name) => {
    const minutes = Number(draft[name]);
    return draft[name] !== '' && Number.isInteger(minutes) && minutes >= TIMES[name].min && minutes <= TIMES[name].max;
  });

/** The recipients and times of an admin alert, as in the form. */
export interface RecipientsDraft extends TimesDraft {
  /** Ids of users. */
  email: readonly number[];
  sms: readonly number[];
  chat: string;
}

/** The draft with the configured recipients; with none if the defaults of the organisation apply. */
export function draftOf(
  alert: Pick<AdminAlert, 'named' | 'alerts' | 'wait_seconds' | 'expiration_seconds'>,
): RecipientsDraft {
  const { named, alerts, wait_seconds: wait, expiration_seconds: expiration } = alert;
  const times = { wait: Math.round(wait / MINUTE), expiration: Math.round(expiration / MINUTE) };
  if (!named) return { email: [], sms: [], chat: '', ...times };
  const idsOf = (wanted: 'email' | 'sms'): number[] =>
    alerts.flatMap(({ method, user }) => (method === wanted && user !== null ? [user.id] : []));
  const chat = alerts.find(({ method }) => method === 'chat')?.ref ?? '';
  return { email: idsOf('email'), sms: idsOf('sms'), chat, ...times };
}

/** The body for the API: each list is replaced as a whole. */
export function bodyOf(id: number, { email, sms, chat, wait, expiration }: RecipientsDraft) {
  const times = { wait_seconds: Number(wait) * MINUTE, expiration_seconds: Number(expiration) * MINUTE };
  return {
    admin_alerts: [{ id, email_users: [...email], sms_users: [...sms], chat_channel: chat.trim(), ...times }],
  };
}

/** Active users as options, and those that are already selected; text messages need a number, mentions a member id. */
export function choicesOf(
  users: readonly Schema<'UserDto'>[],
  channel: 'email' | 'sms' | 'chat',
  chosen: readonly number[],
): { value: string; label: string }[] {
  return users
    .filter(({ id, state, demo, phone_number: phone, chat_member_id: member }) => {
      const reachedBy = { email: true, sms: (phone ?? '') !== '', chat: (member ?? '') !== '' }[channel];
      return (state === 'active' && !demo && reachedBy) || chosen.includes(id);
    })
    .map(({ id, name, email }) => ({ value: String(id), label: name || email }));
}
