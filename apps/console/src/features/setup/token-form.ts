import { type Schema } from '../../lib/api';
import { fromInputText, inputText } from '../../lib/time-input';

/** Most frequently used first. */
export const PERMISSIONS = ['ingest', 'read', 'write', 'alert', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Days until a token expires, or another form of the expiry; `keep`: unchanged. */
export const EXPIRIES = ['never', '30', '90', '365', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number] | 'keep';

/** A token in the form. */
export interface TokenDraft {
  name: string;
  permissions: readonly Permission[];
  expiry: Expiry;
  /** For `date`: in the format of a `datetime-local` field. */
  date: string;
}

const DAY = 86_400;
const FIRST_DATE_DAYS = 7;

/** @param now Unix seconds */
export function newTokenDraft(now: number, zone: string): TokenDraft {
  return { name: '', permissions: ['ingest'], expiry: 'never', date: inputText(now + FIRST_DATE_DAYS * DAY, zone) };
}

export function draftOfToken(token: Schema<'TokenDto'>, now: number, zone: string): TokenDraft {
  return {
    name: token.name,
    permissions: permissionsOf(token),
    expiry: token.valid_until === null ? 'never' : 'keep',
    date: inputText(token.valid_until ?? now + FIRST_DATE_DAYS * DAY, zone),
  };
}

export const permissionsOf = ({ permissions }: Pick<Schema<'TokenDto'>, 'permissions'>): Permission[] =>
  PERMISSIONS.filter((permission) => permissions[permission]);

/** The fields that must be changed before the form can be sent. */
export type TokenLack = Partial<Record<'name' | 'permissions' | 'date', true>>;

export function lackOf(draft: TokenDraft, now: number, zone: string): TokenLack {
  const end = draft.expiry === 'date' ? fromInputText(draft.date, zone) : now + DAY;
  return {
    ...(draft.name.trim() === '' && { name: true }),
    ...(draft.permissions.length === 0 && { permissions: true }),
    ...((end === null || end <= now) && { date: true }),
  };
}

/** The body for the API. `valid_until` is omitted if it does not change. */
export function bodyOf({ name, permissions, expiry, date }: TokenDraft, now: number, zone: string) {
  return {
    name: name.trim(),
    permissions: Object.fromEntries(PERMISSIONS.map((permission) => [permission, permissions.includes(permission)])),
    ...(expiry === 'keep' ? {} : { valid_until: endOf(expiry, date, now, zone) }),
  };
}

function endOf(expiry: Exclude<Expiry, 'keep'>, date: string, now: number, zone: string): number | null {
  if (expiry === 'never') return null;
  return expiry === 'date' ? fromInputText(date, zone) : Math.floor(now) + Number(expiry) * DAY;
}
