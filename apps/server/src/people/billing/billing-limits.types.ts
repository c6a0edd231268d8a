import { rateLimit } from '../../common/http/rate-limits.js';
import { MINUTE } from '../../common/time.js';
import { BillingConfig } from './billing.config.js';

/** Messages of the payment provider: their signature proves the sender, not a credential. */
export const PAYMENT_CALLBACK = rateLimit({
  name: 'paymentCallback',
  config: BillingConfig,
  points: (config) => config.paymentCallback,
  windowSeconds: MINUTE,
  byAddress: true,
  insteadOfGeneral: true,
});
