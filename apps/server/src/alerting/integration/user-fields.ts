import { type User, type UserFields } from '../../people/user/user.types.js';
import { type StoredValues } from './service-definition.types.js';
import { type FieldValue } from './service-fields.types.js';

/** The fields of users: all are stored with the user, and are also in `PUT /user`. */
const COLUMNS: Readonly<
  Record<string, { read: (user: User) => FieldValue | null; write: (value: FieldValue | null) => UserFields }>
> = {
  email_alerts: {
    read: ({ emailAlerts }) => emailAlerts,
    write: (value) => ({ emailAlerts: value === true }),
  },
  chat_member_id: {
    read: ({ chatMemberId }) => chatMemberId,
    write: (value) => ({ chatMemberId: value as string | null }),
  },
  phone_number: {
    read: ({ phoneNumber }) => phoneNumber,
    write: (value) => ({ phoneNumber: value as string | null }),
  },
};

/** The values that a user has set, by field; fields without a value are omitted. */
export function userValuesOf(user: User): StoredValues {
  const entries = Object.entries(COLUMNS).map(([name, { read }]) => [name, read(user)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== '')) as StoredValues;
}

/** `given`: values by field, null if one is cleared. */
export const userFieldsOf = (given: Readonly<Record<string, FieldValue | null>>): UserFields =>
  Object.assign({}, ...Object.entries(given).map(([name, value]) => COLUMNS[name]!.write(value))) as UserFields;
