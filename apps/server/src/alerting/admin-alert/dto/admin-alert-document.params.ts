import { Check } from '../../../common/validation/param-registry.js';
import { EnumParam } from '../../../common/validation/param.decorators.js';
import { UserRefsParam } from '../../../people/user/user-ref.decorator.js';
import { type UserRef } from '../../../people/user/user.types.js';
import { ADMIN_ALERTS } from '../admin-alert-list.js';
import { ADMIN_ALERT_CODES, type AdminAlertCode } from '../admin-alert.types.js';
import { AdminAlertFieldsParams } from './admin-alert.params.js';

/** One admin alert as a document: omitted members have their defaults. */
@Check<AdminAlertDocumentParams>(({ code, enabled }) =>
  enabled === false && ADMIN_ALERTS.some((one) => one.code === code && !one.configurable)
    ? [{ field: 'enabled', code: 'read_only', message: 'enabled cannot be false: this alert is always on' }]
    : [],
)
export class AdminAlertDocumentParams extends AdminAlertFieldsParams {
  @EnumParam(ADMIN_ALERT_CODES, { required: true })
  code!: AdminAlertCode;

  @UserRefsParam('Addresses of users who get mail')
  email_users?: readonly UserRef[];

  @UserRefsParam('Addresses of users who get text messages; each needs a phone number')
  sms_users?: readonly UserRef[];
}
