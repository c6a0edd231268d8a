import { type ErrorDetail } from '#libs/contracts';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import { Check, type CheckedRequest } from '../../../common/validation/param-registry.js';
import {
  BoolParam,
  EnumParam,
  intKind,
  IntParam,
  ListParam,
  ObjectListParam,
  strKind,
  StrParam,
} from '../../../common/validation/param.decorators.js';
import { DAY } from '../../../common/time.js';
import { adminAlertOf } from '../admin-alert-list.js';
import { ADMIN_ALERT_IDS, type AdminAlertId } from '../admin-alert.types.js';

const SHORTEST = 300;
/** As many as an organisation may have users. */
const MAX_RECIPIENTS = 500;
const MAX_METRICS = 1000;

/** Members of one admin alert, with the decorator of each. */
export const FIELDS = {
  enabled: () => BoolParam({ description: 'Whether it is watched' }),
  email_users: () =>
    ListParam(intKind({ min: 1, max: MAX_ROW_ID }), {
      maxItems: MAX_RECIPIENTS,
      description: 'Ids of users, replaces the whole list',
    }),
  sms_users: () =>
    ListParam(intKind({ min: 1, max: MAX_ROW_ID }), {
      maxItems: MAX_RECIPIENTS,
      description: 'Ids of users with a phone number, replaces the whole list',
    }),
  chat_channel: () => StrParam({ min: 0, max: 100, description: 'Channel of the chat; empty: none', example: '#ops' }),
  wait_seconds: () => IntParam({ min: SHORTEST, max: DAY, description: 'How long the condition must hold' }),
  expiration_seconds: () =>
    IntParam({ min: SHORTEST, max: 7 * DAY, description: 'Shortest time between two notices that it is raised' }),
} as const;
export type AdminAlertField = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as AdminAlertField[];

/** Omitted members keep their values. */
export interface AdminAlertChange {
  enabled?: boolean;
  email_users?: readonly number[];
  sms_users?: readonly number[];
  chat_channel?: string;
  wait_seconds?: number;
  expiration_seconds?: number;
}

/** Members of an admin alert that items of a list and documents share: they name its users in different ways. */
export class AdminAlertFieldsParams implements Omit<AdminAlertChange, 'email_users' | 'sms_users'> {
  @FIELDS.enabled()
  enabled?: boolean;

  @FIELDS.chat_channel()
  chat_channel?: string;

  @FIELDS.wait_seconds()
  wait_seconds?: number;

  @FIELDS.expiration_seconds()
  expiration_seconds?: number;
}

export class AdminAlertItemParams extends AdminAlertFieldsParams implements AdminAlertChange {
  @IntParam({ required: true, min: 1, max: ADMIN_ALERT_IDS.length })
  id!: AdminAlertId;

  @FIELDS.email_users()
  email_users?: readonly number[];

  @FIELDS.sms_users()
  sms_users?: readonly number[];
}

/** A recipient named in both forms, or an alert switched off that may not be. */
function problems(params: Partial<UpdateAdminAlertsParams>, { given }: CheckedRequest): ErrorDetail[] {
  const found: ErrorDetail[] = [];
  const items = params.admin_alerts ?? [];
  if (new Set(items.map(({ id }) => id)).size < items.length) {
    found.push({ field: 'admin_alerts', code: 'duplicate_parameter', message: 'admin_alerts names one twice' });
  }
  for (const id of ADMIN_ALERT_IDS) {
    const flat = FIELD_NAMES.map((field) => flatName(id, field)).find((name) => given.has(name));
    if (flat !== undefined && items.some((item) => item.id === id)) {
      found.push({ field: flat, code: 'duplicate_parameter', message: `${flat} is also in admin_alerts` });
    }
  }
  for (const [id, { change, fieldOf }] of changesOf(params)) {
    if (change.enabled !== false || adminAlertOf(id).configurable) continue;
    const field = fieldOf('enabled');
    found.push({ field, code: 'read_only', message: `${field} cannot be false: this alert is always on` });
  }
  return found;
}

@Check<UpdateAdminAlertsParams>(problems)
export class UpdateAdminAlertsParams {
  @ObjectListParam(() => AdminAlertItemParams, {
    maxItems: ADMIN_ALERT_IDS.length,
    description: 'The same as objects, in place of the members with `type_`',
  })
  admin_alerts?: readonly AdminAlertItemParams[];
}

const flatName = (id: AdminAlertId, field: AdminAlertField): string => `type_${String(id)}_${field}`;

for (const id of ADMIN_ALERT_IDS) {
  for (const field of FIELD_NAMES) FIELDS[field]()(UpdateAdminAlertsParams.prototype, flatName(id, field));
}

/** The requested change of one admin alert, and the names under which it was sent. */
export interface SentChange {
  change: AdminAlertChange;
  fieldOf: (field: AdminAlertField) => string;
}

/** The requested change, from either form. */
export function changesOf(params: Partial<UpdateAdminAlertsParams>): Map<AdminAlertId, SentChange> {
  const found = new Map<AdminAlertId, SentChange>();
  const flat = params as Readonly<Record<string, unknown>>;
  for (const id of ADMIN_ALERT_IDS) {
    const sent = FIELD_NAMES.filter((field) => flat[flatName(id, field)] !== undefined);
    if (sent.length === 0) continue;
    const change = Object.fromEntries(sent.map((field) => [field, flat[flatName(id, field)]])) as AdminAlertChange;
    found.set(id, { change, fieldOf: (field) => flatName(id, field) });
  }
  for (const [index, { id, ...change }] of (params.admin_alerts ?? []).entries()) {
    found.set(id, { change, fieldOf: (field) => `admin_alerts.${String(index)}.${field}` });
  }
  return found;
}

export class RaiseAdminAlertParams {
  @EnumParam(['raised', 'recovered'], { required: true })
  state!: 'raised' | 'recovered';

  @StrParam({ min: 0, max: 1000, default: '', description: 'What is wrong' })
  message!: string;

  @ListParam(strKind({ max: 1024 }), { maxItems: MAX_METRICS, description: 'Names of the metrics that it concerns' })
  metrics?: readonly string[];
}
