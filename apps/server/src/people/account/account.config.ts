import { Setting } from '../../common/config/setting.decorator.js';

/** Limits of mails to addresses that users type. */
export class AccountConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_MAILED_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Invitations, confirmations and mails of benchmarks to one e-mail address.',
  })
  mailedAddress = 10;

  @Setting({
    env: 'PLUMBLINE_LIMIT_INVITATIONS_HOUR',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Invitations that one organisation mails, including repeated ones.',
  })
  invitationsHour = 20;

  @Setting({
    env: 'PLUMBLINE_LIMIT_INVITATIONS_DAY',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per day',
    sentence: 'Invitations that one organisation mails, including repeated ones.',
  })
  invitationsDay = 100;
}
