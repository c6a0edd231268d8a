import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { ChannelConfig } from './channel.config.js';

/** Test alerts and tests of integrations of one organisation, by its id. */
export const TEST_ALERTS = rateLimit({
  name: 'testAlerts',
  config: ChannelConfig,
  points: (config) => config.testAlerts,
  windowSeconds: 10 * MINUTE,
});
