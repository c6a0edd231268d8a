import { Setting } from '../../common/config/setting.decorator.js';

/** How much mail users can have sent to addresses that they type. */
export class AccountConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_MAILED_ADDRESS',
    type: 'int',
    min: 1,
    max: 100_000,
    unit: 'per hour',
    sentence: 'Invitations and confirmations that users make go to one e-mail address.',
  })
  mailedAddress = 10;
}
