import { paramsWithout } from '../../../common/validation/params-without.js';
import { EnumParam } from '../../../common/validation/param.decorators.js';
import { UserRefsParam } from '../../../people/user/user-ref.decorator.js';
import { type UserRef } from '../../../people/user/user.types.js';
import { type RecipientsField } from '../watcher-settings.js';
import { CreateThresholdWatcherParams, CreateWatcherParams } from './watcher.params.js';

/** Documents name users by address, and send nothing. */
const OTHERWISE = [
  'email_users',
  'sms_users',
  'chat_mention_users',
  'summary_report_users',
  'test_alert',
] as const satisfies readonly (RecipientsField | 'test_alert')[];

const USERS = {
  email_users: () => UserRefsParam('Addresses of users who get mail'),
  sms_users: () => UserRefsParam('Addresses of users who get text messages; each needs a phone number'),
  chat_mention_users: () =>
    UserRefsParam('Addresses of users who are mentioned in the chat; each needs a chat member id'),
  summary_report_users: () => UserRefsParam('Addresses of users who get the report'),
} as const satisfies Record<RecipientsField, () => PropertyDecorator>;

/** A watcher of anomalies as a document. */
export class AnomalyWatcherDocumentParams extends paramsWithout(CreateWatcherParams, OTHERWISE) {
  @EnumParam(['anomaly'], { default: 'anomaly' })
  type!: 'anomaly';

  @USERS.email_users()
  email_users?: readonly UserRef[];

  @USERS.sms_users()
  sms_users?: readonly UserRef[];

  @USERS.chat_mention_users()
  chat_mention_users?: readonly UserRef[];

  @USERS.summary_report_users()
  summary_report_users?: readonly UserRef[];
}

/** A watcher of a threshold as a document. */
export class ThresholdWatcherDocumentParams extends paramsWithout(CreateThresholdWatcherParams, OTHERWISE) {
  @EnumParam(['threshold'], { required: true })
  type!: 'threshold';

  @USERS.email_users()
  email_users?: readonly UserRef[];

  @USERS.sms_users()
  sms_users?: readonly UserRef[];

  @USERS.chat_mention_users()
  chat_mention_users?: readonly UserRef[];

  @USERS.summary_report_users()
  summary_report_users?: readonly UserRef[];
}

export type WatcherDocumentParams = AnomalyWatcherDocumentParams | ThresholdWatcherDocumentParams;
