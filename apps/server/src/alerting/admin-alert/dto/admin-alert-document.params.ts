import { Check } from '../../../common/validation/param-registry.js';
import { EnumParam } from '../../../common/validation/param.decorators.js';
import { ADMIN_ALERT_CODES, ADMIN_ALERTS, type AdminAlertCode } from '../admin-alert.types.js';
import { type AdminAlertChange, FIELDS } from './admin-alert.params.js';

/** One admin alert as a document: what it leaves out has its default. */
@Check<AdminAlertDocumentParams>(({ code, enabled }) =>
  enabled === false && ADMIN_ALERTS.some((one) => one.code === code && !one.configurable)
    ? [{ field: 'enabled', code: 'read_only', message: 'enabled cannot be false: this alert is always on' }]
    : [],
)
export class AdminAlertDocumentParams implements AdminAlertChange {
  @EnumParam(ADMIN_ALERT_CODES, { required: true })
  code!: AdminAlertCode;

  @FIELDS.enabled()
  enabled?: boolean;

  @FIELDS.email_users()
  email_users?: readonly number[];

  @FIELDS.sms_users()
  sms_users?: readonly number[];

  @FIELDS.chat_channel()
  chat_channel?: string;

  @FIELDS.wait_seconds()
  wait_seconds?: number;

  @FIELDS.expiration_seconds()
  expiration_seconds?: number;
}
