import { BillingModule } from '../../apps/server/src/people/billing/billing.module.js';
import { ErasureModule } from '../../apps/server/src/people/erasure/erasure.module.js';
import { OrgService } from '../../apps/server/src/people/org/org.service.js';
import { SignupModule } from '../../apps/server/src/people/signup/signup.module.js';
import { AreaApp } from './area-app.js';
import { type TestDatabase } from './database.js';
import { HandClock } from './hand-clock.js';
import { type Answer } from './metric-app.js';
import { type Delivery, type StripeStandIn } from './stripe.js';

export const PRICES = [
  { id: 'price_team', amount: 4900, currency: 'eur' },
  { id: 'price_business', amount: 19_900, currency: 'eur' },
  { id: 'price_special', amount: 100, currency: 'eur' },
];

export const PLANS = [
  { id: 'team', name: 'Team', price: 'price_team', metric_limit: 5000, amount: 4900, currency: 'EUR' },
  { id: 'business', name: 'Business', price: 'price_business', metric_limit: 50_000, amount: 19_900, currency: 'EUR' },
].map((plan) => ({ ...plan, interval: 'month' }));

interface BillingAppOptions {
  clock?: HandClock;
  /** Without it no payment provider is configured. */
  stripe?: StripeStandIn;
  env?: Record<string, string>;
  /** Shared with another process of the installation. */
  database?: TestDatabase;
}

/** The billing area, with or without a payment provider. */
export class BillingApp extends AreaApp {
  static async create({ clock = new HandClock(), stripe, env, database }: BillingAppOptions = {}): Promise<BillingApp> {
    const provider = stripe ? { ...stripe.env, PLUMBLINE_PLANS: JSON.stringify(PLANS) } : {};
    const options = { env: { ...provider, ...env }, clock, ...(database ? { database } : {}) };
    return new BillingApp(await this.start([BillingModule, ErasureModule, SignupModule], options), clock);
  }

  async call(method: 'get' | 'post', path: string, token?: string, headers: Record<string, string> = {}) {
    const call = this.http()[method](`/api${path}`).set(headers);
    if (token !== undefined) call.set('X-Auth-Token', token);
    const answer = await call;
    return { status: answer.status, headers: answer.headers, data: answer.body.data };
  }

  /** Delivers a message of the payment provider. */
  async deliver({ body, signature }: Delivery): Promise<Answer> {
    const call = this.http().post('/api/org/paymentcallback').set('Stripe-Signature', signature);
    const answer = await call.set('Content-Type', 'application/json; charset=utf-8').send(body);
    return { status: answer.status, headers: answer.headers, data: answer.body.data };
  }

  async metricLimit(orgId: number): Promise<number | null> {
    return (await this.get(OrgService).getById(orgId)).metricLimit;
  }

  /** Events as `type: text`, oldest first. */
  async eventLines(orgId: number): Promise<string[]> {
    return (await this.eventTexts(orgId)).map(([type, text]) => `${type}: ${text}`);
  }

  /** Entries as [action, actor, changed fields], oldest first. */
  async audit(orgId: number): Promise<unknown[]> {
    return this.database.dataSource.query<unknown[]>(
      `SELECT action, actor_type AS actor, changes FROM audit_entry WHERE org_id = $1 AND action LIKE 'billing.%' ORDER BY id`,
      [orgId],
    );
  }
}
