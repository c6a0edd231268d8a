import { Setting, type SettingProblem } from '../../common/config/setting.decorator.js';
import { readPlanList } from './plan-list.js';
import { type OfferedPlan } from './plan.types.js';

/** The payment provider and the offered plans. Billing is on if key, webhook secret and plans are all set. */
export class BillingConfig {
  @Setting({
    env: 'STRIPE_SECRET_KEY',
    type: 'string',
    pattern: /^[\x21-\x7e]{8,}$/,
    form: "the provider's secret or restricted API key",
    secret: true,
    defaultText: 'none: nothing can be bought',
    sentence: 'API key of the Stripe account that organisations pay to.',
  })
  secretKey: string | undefined;

  @Setting({
    env: 'STRIPE_WEBHOOK_SECRET',
    type: 'string',
    pattern: /^[\x21-\x7e]{8,}$/,
    form: 'the signing secret of the webhook endpoint',
    secret: true,
    sentence: 'Signing secret of the webhook endpoint that points to /api/org/paymentcallback.',
  })
  webhookSecret: string | undefined;

  @Setting({
    env: 'STRIPE_API_BASE',
    type: 'url',
    sentence: 'Address of the Stripe API; an origin without path. Change it if requests go through a proxy.',
  })
  apiBase = 'https://api.stripe.com';

  @Setting({
    env: 'PLUMBLINE_PLANS',
    type: 'string',
    form: 'a JSON list of {id, name, price, metric_limit, amount, currency, interval}',
    sentence:
      "Plans that can be bought, in the order they are shown: `price` is the id of one of the provider's prices, `amount` is in minor units, `interval` is day, week, month or year.",
  })
  planList: string | undefined;

  @Setting({
    env: 'PLUMBLINE_METRICS_WITHOUT_PLAN',
    type: 'int',
    min: 0,
    max: 2_147_483_647,
    unit: 'metrics',
    defaultText: 'no cap',
    sentence:
      'metric_limit of organisations that are created by sign-up, and of those whose plan has ended; without payment provider it has no effect.',
  })
  metricsWithoutPlan: number | undefined;

  @Setting({
    env: 'PLUMBLINE_LIMIT_PAYMENT_CALLBACK',
    type: 'int',
    min: 1,
    max: 1_000_000,
    unit: 'per minute',
    sentence: 'Messages of the payment provider from one address; they do not count as requests without credential.',
  })
  paymentCallback = 600;

  private offered: readonly OfferedPlan[] = [];
  private planProblem: string | undefined;

  /** The offered plans; empty while no provider is configured. */
  get plans(): readonly OfferedPlan[] {
    return this.offered;
  }

  /** True if a payment provider is connected. Without one nothing is sold, and metric_limit is set manually. */
  get isConfigured(): boolean {
    return this.secretKey !== undefined && this.webhookSecret !== undefined && this.planList !== undefined;
  }

  complete(): void {
    if (this.planList === undefined) return;
    const read = readPlanList(this.planList);
    if ('problem' in read) this.planProblem = read.problem;
    else if (this.isConfigured) this.offered = read.plans;
  }

  problems(): readonly SettingProblem[] {
    const problems: SettingProblem[] = [];
    if (this.planProblem !== undefined) problems.push({ env: 'PLUMBLINE_PLANS', message: this.planProblem });
    if (new URL(this.apiBase).pathname !== '/') {
      problems.push({ env: 'STRIPE_API_BASE', message: 'must be an origin without a path' });
    }
    const together = {
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      PLUMBLINE_PLANS: this.planList,
    };
    const missing = Object.entries(together).filter(([, value]) => value === undefined);
    if (missing.length < Object.keys(together).length) {
      const names = Object.keys(together).join(', ');
      problems.push(...missing.map(([env]) => ({ env, message: `is missing: billing needs all of ${names}` })));
    }
    return problems;
  }
}
