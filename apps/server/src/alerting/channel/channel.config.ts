import { Setting } from '../../common/config/setting.decorator.js';

export class ChannelConfig {
  @Setting({
    env: 'PLUMBLINE_LIMIT_TEST_ALERTS',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per 10 minutes',
    sentence: 'Test alerts and tests of integrations of one organisation.',
  })
  testAlerts = 10;
}
