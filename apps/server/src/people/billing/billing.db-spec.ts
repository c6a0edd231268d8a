import { Permission } from '#libs/contracts';
import { BillingApp, PLANS, PRICES } from '../../../../../test/support/billing-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { type CheckoutSession, StripeStandIn } from '../../../../../test/support/stripe.js';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { OrgErasureWorkerService } from '../erasure/org-erasure-worker.service.js';
import { OrgErasureService } from '../erasure/org-erasure.service.js';
import { BillingReconciliationService } from './billing-reconciliation.service.js';
import { PlanDirectoryService } from './plan-directory.service.js';
import { SubscriptionEndingService } from './subscription-ending.service.js';

const DAY = 86_400;
const clock = new HandClock();

let stripe: StripeStandIn;
let app: BillingApp;
let orgId: number;
let token: string;

beforeAll(async () => {
  stripe = await StripeStandIn.start(clock, PRICES);
  app = await BillingApp.create({ clock, stripe });
});
afterAll(async () => {
  await app.close();
  await stripe.close();
});
beforeEach(async () => {
  clock.seconds = START;
  stripe.before = undefined;
  stripe.requests.length = 0;
  ({ id: orgId } = await app.anOrg({ timezone: 'Europe/Oslo' }));
  token = await app.aToken(orgId, Permission.Admin);
});

async function openCheckout(plan = 'team', more = ''): Promise<CheckoutSession> {
  const { status, data } = await app.call('get', `/billing/getcheckoutsession?plan_id=${plan}${more}`, token);
  expect(status).toBe(200);
  return stripe.checkouts.get(data.session_id as string)!;
}

/** The organisation buys a plan, and the provider notifies the product. */
async function buy(plan = 'team') {
  const session = await openCheckout(plan);
  const paid = stripe.completeCheckout(session.id);
  expect(await app.deliver(stripe.event('checkout.session.completed', session))).toMatchObject({ status: 200 });
  return { session, ...paid };
}

const history = async () => (await app.call('get', '/billing/history', token)).data;
const planId = async () => (await app.get(PlanDirectoryService).getPlan(orgId))?.id ?? null;

describe('a checkout', () => {
  it('is opened at the provider for the chosen plan', async () => {
    const { status, data } = await app.call('get', '/billing/getcheckoutsession?plan_id=team', token);

    expect(status).toBe(200);
    const session = stripe.checkouts.get(data.session_id as string)!;
    expect(data).toEqual({ session_id: session.id, url: session.url, expires_timestamp: START + DAY, message: 'OK' });
    expect(session).toMatchObject({
      mode: 'subscription',
      price: 'price_team',
      client_reference_id: String(orgId),
      success_url: `https://plumbline.example.org/api/billing/checkoutcallback?result=success&checkout_session_id=${session.id}`,
      cancel_url: 'https://plumbline.example.org/billing?checkout=cancel',
    });
    expect(stripe.customers.get(session.customer)).toMatchObject({ name: 'Example Ltd' });
    expect(await app.audit(orgId)).toMatchObject([{ action: 'billing.checkout', actor: 'token' }]);
  });

  it('changes nothing before the payment', async () => {
    const session = await openCheckout();
    const { data } = await app.call('get', `/billing/checkoutcallback?checkout_session_id=${session.id}`);
    expect(data).toMatchObject({ result: 'cancel', plan_id: null });
    expect([await app.metricLimit(orgId), await app.eventLines(orgId)]).toEqual([null, []]);
  });

  it('sets the plan and its limit when the browser returns after the payment', async () => {
    const session = await openCheckout();
    stripe.completeCheckout(session.id);

    const path = `/billing/checkoutcallback?checkout_session_id=${session.id}&result=cancel`;
    const { status, data } = await app.call('get', path);

    expect([status, data]).toEqual([200, { result: 'success', plan_id: 'team', message: 'OK' }]);
    expect(await app.metricLimit(orgId)).toBe(5000);
    expect(await app.get(PlanDirectoryService).getPlan(orgId)).toEqual({
      id: 'team',
      name: 'Team',
      metric_limit: 5000,
      amount: 4900,
      amount_string: '49.00 EUR',
      currency: 'EUR',
      interval: 'month',
    });
    expect(await app.eventLines(orgId)).toEqual(['billing_changed: The plan is Team now: up to 5000 metrics.']);
    expect((await app.audit(orgId)).at(-1)).toEqual({
      action: 'billing.plan_change',
      actor: 'system',
      changes: [
        { field: 'plan', before: null, after: 'team' },
        { field: 'plan_metric_limit', before: null, after: 5000 },
        { field: 'metric_limit', before: null, after: 5000 },
      ],
    });
  });

  it('can be returned from repeatedly, also at the older address', async () => {
    const session = await openCheckout();
    stripe.completeCheckout(session.id);
    const query = `checkout_session_id=${session.id}`;
    for (const path of [`/billing/checkoutcallback?${query}`, `/org/paymentcallback?${query}`]) {
      expect((await app.call('get', path)).data).toMatchObject({ result: 'success', plan_id: 'team' });
    }
    expect((await app.call('post', `/billing/checkoutcallback?${query}`)).data).toMatchObject({ plan_id: 'team' });
    expect(await app.eventLines(orgId)).toHaveLength(1);
  });

  it('redirects a browser to the page of the console where it began', async () => {
    const session = await openCheckout('team', '&return_url=https://plumbline.example.org/settings?tab=plan');
    expect(session.cancel_url).toBe('https://plumbline.example.org/settings?tab=plan&checkout=cancel');
    stripe.completeCheckout(session.id);

    const path = `/api/org/paymentcallback?checkout_session_id=${session.id}`;
    const answer = await app.http().get(path).set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8');

    expect([answer.status, answer.text]).toEqual([303, '']);
    expect(answer.headers.location).toBe('https://plumbline.example.org/settings?tab=plan&checkout=success');
  });

  it.each(['cs_test_unknown', 'x'.repeat(200)])('that was not opened here is answered with 404: %s', async (id) => {
    const { status } = await app.call('get', `/billing/checkoutcallback?checkout_session_id=${id}`);
    expect([status, stripe.requests]).toEqual([404, []]);
  });

  it('accepts the return with a session cookie from another site', async () => {
    const session = await openCheckout();
    const headers = { Cookie: `session_id=${'0'.repeat(32)}`, 'Sec-Fetch-Site': 'cross-site' };
    const path = `/billing/checkoutcallback?checkout_session_id=${session.id}`;
    expect((await app.call('get', path, undefined, headers)).status).toBe(200);
    expect((await app.http().head(`/api${path}`)).status).toBe(405);
  });

  const f = (name: string, query: string, detail: object) => {
    it(`is rejected with ${name}`, async () => {
      const { status, data } = await app.call('get', `/billing/getcheckoutsession?${query}`, token);
      expect([status, data.error.details]).toEqual([400, [detail]]);
      expect(stripe.requests).toEqual([]);
    });
  };
  const elsewhere = {
    field: 'return_url',
    code: 'address_not_allowed',
    message: expect.stringMatching(
      /^return_url must be an address below https:\/\/plumbline\.example\.org\/(?:, got .*)?$/,
    ),
  };
  f('no plan id', '', { field: 'plan_id', code: 'required', message: 'plan_id is required' });
  f('an unknown plan', 'plan_id=huge', {
    field: 'plan_id',
    code: 'not_one_of',
    message: 'plan_id must be one of team, business, got "huge"',
  });
  f('another host as return address', 'plan_id=team&return_url=https://plumbline.example.org.evil.example/', elsewhere);
  f('a return address without scheme', 'plan_id=team&return_url=//evil.example', elsewhere);
  f('a script as return address', 'plan_id=team&return_url=javascript:alert(1)', elsewhere);
  f('a user name in the return address', 'plan_id=team&return_url=https://a@plumbline.example.org/', elsewhere);

  it('requires an administrator', async () => {
    const other = await app.aToken(orgId, Permission.Read, Permission.Write);
    for (const path of ['getcheckoutsession?plan_id=team', 'getportalsession', 'history']) {
      expect((await app.call('get', `/billing/${path}`, other)).status).toBe(403);
      expect((await app.call('get', `/billing/${path}`)).status).toBe(401);
    }
  });

  it('is rejected beside an active subscription', async () => {
    await buy();
    const { status, data } = await app.call('get', '/billing/getcheckoutsession?plan_id=business', token);
    expect([status, data.error.code]).toEqual([409, 'state_conflict']);
  });

  it('creates one customer for concurrent checkouts', async () => {
    const sessions = await Promise.all([openCheckout(), openCheckout('business'), openCheckout()]);
    expect(new Set(sessions.map(({ customer }) => customer)).size).toBe(1);
    const creations = stripe.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/customers');
    expect(new Set(creations.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('creates a new customer when the provider no longer has the old one', async () => {
    const { subscription } = await buy();
    stripe.customers.delete(subscription.customer);
    stripe.subscriptions.delete(subscription.id);
    const session = await openCheckout('business');
    expect(session.customer).not.toBe(subscription.customer);
    stripe.completeCheckout(session.id);
    await app.deliver(stripe.event('checkout.session.completed', session));
    expect(await planId()).toBe('business');
  });
});

describe('the portal', () => {
  it('is opened for an organisation with a subscription', async () => {
    const { subscription } = await buy();
    const { status, data } = await app.call('get', '/billing/getportalsession', token);
    expect([status, data]).toEqual([
      200,
      {
        url: expect.stringContaining('/p/session/bps_'),
        expires_timestamp: app.clock.seconds + 300,
        message: 'OK',
      },
    ]);
    const form = { customer: subscription.customer, return_url: 'https://plumbline.example.org/billing' };
    expect(stripe.requests.at(-1)).toMatchObject({ path: '/v1/billing_portal/sessions', form });
  });

  it('is opened directly after the payment', async () => {
    const session = await openCheckout();
    stripe.completeCheckout(session.id);
    expect((await app.call('post', '/billing/getportalsession', token)).status).toBe(200);
  });

  it('is answered with 404 without a subscription', async () => {
    expect((await app.call('get', '/billing/getportalsession', token)).status).toBe(404);
    const { subscription } = await buy();
    stripe.end(subscription);
    await app.deliver(stripe.event('customer.subscription.deleted', subscription));
    expect((await app.call('get', '/billing/getportalsession', token)).status).toBe(404);
  });
});

describe('the history', () => {
  it('contains only the plans for an organisation that never paid', async () => {
    const { data } = await app.call('get', '/billing/history', token);
    expect(data).toEqual({
      history: [],
      plans: PLANS.map(({ price: _, ...plan }) => ({
        ...plan,
        amount_string: `${String(plan.amount / 100)}.00 EUR`,
      })),
      current_plan: null,
      renews_timestamp: null,
      cancels_timestamp: null,
      total: 0,
      limit: 100,
      offset: 0,
    });
  });

  it('contains the invoices by page, newest first', async () => {
    const { subscription, invoice } = await buy();
    clock.seconds += 30 * DAY;
    const second = stripe.bill(subscription);
    Object.assign(second, { status: 'open', hosted_invoice_url: null });
    await app.deliver(stripe.event('invoice.finalized', second));

    expect(await history()).toMatchObject({
      history: [{ id: second.id, status: 'open', invoice_url: null }, { id: invoice.id }],
      current_plan: { id: 'team' },
      renews_timestamp: START + 30 * DAY,
      cancels_timestamp: null,
      total: 2,
    });
    const { data } = await app.call('post', '/billing/history?limit=1&offset=1', token);
    expect(data).toMatchObject({ total: 2, limit: 1, offset: 1 });
    expect(data.history).toEqual([
      {
        id: invoice.id,
        created_timestamp: START,
        created_string: 'October 9th 2025',
        period_from: START,
        period_until: START + 30 * DAY,
        plan_id: 'team',
        plan_name: 'Team',
        metric_limit: 5000,
        amount: 4900,
        amount_string: '49.00 EUR',
        currency: 'EUR',
        status: 'paid',
        invoice_url: `https://invoice.example.org/${invoice.id}`,
      },
    ]);
  });

  it.each([
    ['refunded', (invoice: { id: string }) => stripe.refund(stripe.invoices.get(invoice.id)!), 'charge.refunded'],
    [
      'refunded',
      (invoice: object) => Object.assign(invoice, { post_payment_credit_notes_amount: 4900 }),
      'invoice.updated',
    ],
    ['void', (invoice: object) => Object.assign(invoice, { status: 'void' }), 'invoice.voided'],
    ['open', (invoice: object) => Object.assign(invoice, { status: 'uncollectible' }), 'invoice.marked_uncollectible'],
  ])('shows an invoice that became %s', async (status, change, type) => {
    const { invoice } = await buy();
    change(invoice);
    await app.deliver(stripe.event(type, invoice));
    expect((await history()).history).toMatchObject([{ id: invoice.id, status }]);
  });

  it('omits drafts', async () => {
    const { invoice } = await buy();
    const { subscription } = { subscription: [...stripe.subscriptions.values()].at(-1)! };
    Object.assign(stripe.bill(subscription), { status: 'draft' });
    await app.deliver(stripe.event('invoice.created', invoice));
    expect((await history()).total).toBe(1);
  });

  it("contains only invoices of the caller's organisation", async () => {
    await buy();
    const other = await app.aToken((await app.anOrg()).id, Permission.Admin);
    expect((await app.call('get', '/billing/history', other)).data).toMatchObject({ history: [], current_plan: null });
  });
});

describe('messages of the provider', () => {
  it('trigger a look-up at the provider, whose answer counts', async () => {
    const { subscription } = await buy();
    const claim = { ...subscription, status: 'canceled' };
    expect((await app.deliver(stripe.event('customer.subscription.deleted', claim))).status).toBe(200);
    expect([await planId(), await app.metricLimit(orgId)]).toEqual(['team', 5000]);
  });

  it('change the plan and its limit, and record an event', async () => {
    const { subscription } = await buy();
    stripe.changePrice(subscription, 'price_business');
    await app.deliver(stripe.event('customer.subscription.updated', subscription));
    expect([await planId(), await app.metricLimit(orgId)]).toEqual(['business', 50_000]);
    expect((await app.eventLines(orgId)).at(-1)).toBe(
      'billing_changed: The plan is Business now: up to 50000 metrics.',
    );
  });

  it('record a scheduled end, its withdrawal, and the end of the plan', async () => {
    const { subscription } = await buy();
    const deliver = () => app.deliver(stripe.event('customer.subscription.updated', subscription));
    Object.assign(subscription, { cancel_at_period_end: true });
    await deliver();
    expect(await history()).toMatchObject({ renews_timestamp: null, cancels_timestamp: START + 30 * DAY });
    Object.assign(subscription, { cancel_at_period_end: false });
    await deliver();
    expect(await history()).toMatchObject({ renews_timestamp: START + 30 * DAY, cancels_timestamp: null });
    stripe.end(subscription);
    await deliver();
    expect(await history()).toMatchObject({
      current_plan: null,
      renews_timestamp: null,
      history: [{ plan_id: 'team' }],
    });
    expect(await app.metricLimit(orgId)).toBeNull();
    expect((await app.eventLines(orgId)).slice(1)).toEqual([
      'billing_changed: The plan Team ends on November 8th 2025.',
      'billing_changed: The plan Team continues.',
      'billing_changed: The plan Team has ended; from now on without a limit of metrics.',
    ]);
  });

  it.each(['past_due', 'trialing'])('keep the plan while the subscription is %s', async (status) => {
    const { subscription } = await buy();
    Object.assign(subscription, { status });
    await app.deliver(stripe.event('customer.subscription.updated', subscription));
    expect(await planId()).toBe('team');
  });

  it.each(['unpaid', 'incomplete', 'paused', 'canceled'])('end the plan in the state %s', async (status) => {
    const { subscription } = await buy();
    Object.assign(subscription, { status });
    await app.deliver(stripe.event('customer.subscription.updated', subscription));
    expect(await planId()).toBeNull();
  });

  it('are applied only once', async () => {
    const { session } = await buy();
    const message = stripe.event('checkout.session.completed', session, { id: 'evt_twice' });
    await app.deliver(message);
    stripe.requests.length = 0;
    const { status, data } = await app.deliver(message);
    expect([status, data, stripe.requests]).toEqual([200, { message: 'Known already.' }, []]);
  });

  it('have the same result in any order', async () => {
    const { session, subscription, invoice } = await buy();
    stripe.changePrice(subscription, 'price_business');
    const messages = [
      stripe.event('checkout.session.completed', session),
      stripe.event('customer.subscription.created', subscription),
      stripe.event('invoice.paid', invoice),
      stripe.event('customer.subscription.updated', subscription),
    ];
    stripe.end(subscription);
    messages.push(stripe.event('customer.subscription.deleted', subscription));
    for (const message of messages.reverse()) expect((await app.deliver(message)).status).toBe(200);
    expect([await planId(), await app.metricLimit(orgId)]).toEqual([null, null]);
    expect(await app.eventLines(orgId)).toHaveLength(2);
  });

  it('are applied once when two processes receive them concurrently', async () => {
    const second = await BillingApp.create({ clock, stripe, database: app.database });
    try {
      const session = await openCheckout();
      const { subscription } = stripe.completeCheckout(session.id);
      const message = stripe.event('checkout.session.completed', session);
      const others = Array.from({ length: 3 }, () => stripe.event('customer.subscription.created', subscription));
      const answers = await Promise.all(
        [message, message, ...others].flatMap((each) => [app.deliver(each), second.deliver(each)]),
      );
      expect(answers.every(({ status }) => status === 200 || status === 502)).toBe(true);
      await app.deliver(message);
      expect([await planId(), await app.metricLimit(orgId)]).toEqual(['team', 5000]);
      const changes = (await app.audit(orgId)).filter((entry) =>
        (entry as { action: string }).action.endsWith('change'),
      );
      expect(changes).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  it('do not let an older answer of the provider replace a newer one', async () => {
    const { subscription } = await buy();
    const first = stripe.event('customer.subscription.updated', subscription);
    // While the first message waits for the provider, the plan changes and the second message is applied.
    let isFirst = true;
    stripe.before = async ({ path }) => {
      if (path !== '/v1/charges' || !isFirst) return;
      isFirst = false;
      stripe.changePrice(subscription, 'price_business');
      await app.deliver(stripe.event('customer.subscription.updated', subscription));
    };
    expect((await app.deliver(first)).status).toBe(200);
    expect([isFirst, await planId(), await app.metricLimit(orgId)]).toEqual([false, 'business', 50_000]);
  });

  it('of other types or customers are accepted and ignored', async () => {
    const { session } = await buy();
    stripe.requests.length = 0;
    for (const message of [
      stripe.event('payment_intent.created', session),
      stripe.event('customer.subscription.updated', { object: 'subscription', customer: 'cus_of_others' }),
      stripe.event('v3.something.new', {}),
      stripe.sign('{"id":"evt_1","type":"invoice.paid","data":{}}'),
    ]) {
      expect((await app.deliver(message)).status).toBe(200);
    }
    expect(stripe.requests).toEqual([]);
  });

  it('are rejected without a valid signature, or with one more than 300 s off', async () => {
    const { session } = await buy();
    const { body, signature } = stripe.event('checkout.session.completed', session);
    const wrong = [
      { body, signature: '' },
      { body, signature: 't=1,v1=abc' },
      { body: `${body} `, signature },
      stripe.sign(body, { secret: 'whsec_of_somebody_else' }),
      stripe.sign(body, { age: 301 }),
      stripe.sign(body, { age: -302 }),
      stripe.sign('no json'),
    ];
    stripe.requests.length = 0;
    for (const message of wrong) {
      const { status, data } = await app.deliver(message);
      expect([status, data.error.code]).toEqual([401, 'signature_invalid']);
    }
    expect(stripe.requests).toEqual([]);
    expect((await app.deliver(stripe.sign(body, { age: 299 }))).status).toBe(200);
    expect((await app.deliver(stripe.sign(body, { age: -299 }))).status).toBe(200);
  });

  it('are answered with 502 while the provider fails, and applied when resent', async () => {
    const session = await openCheckout();
    stripe.completeCheckout(session.id);
    const message = stripe.event('checkout.session.completed', session);
    stripe.failWith(500);
    expect((await app.deliver(message)).status).toBe(502);
    expect(await planId()).toBeNull();
    stripe.failWith(null);
    expect((await app.deliver(message)).status).toBe(200);
    expect(await planId()).toBe('team');
  });

  it('about an unknown price keep the plan', async () => {
    const { subscription } = await buy();
    stripe.changePrice(subscription, 'price_special');
    const invoice = stripe.bill(subscription);
    await app.deliver(stripe.event('invoice.paid', invoice));
    expect([await planId(), await app.metricLimit(orgId)]).toEqual(['team', 5000]);
    expect((await history()).history).toContainEqual(
      expect.objectContaining({ id: invoice.id, plan_id: '', plan_name: '1 × price_special', metric_limit: 0 }),
    );
  });

  it('set the larger of two plans', async () => {
    const { subscription } = await buy('business');
    clock.seconds += 10;
    const second = stripe.subscribe(subscription.customer, 'price_team');
    await app.deliver(stripe.event('customer.subscription.created', second));
    expect(await planId()).toBe('business');
  });

  it('end the plan when the customer is deleted', async () => {
    const { subscription } = await buy();
    stripe.deleteCustomer(subscription.customer);
    await app.deliver(stripe.event('customer.deleted', { id: subscription.customer, object: 'customer' }));
    expect(await planId()).toBeNull();
  });
});

describe('a failing provider', () => {
  it.each([500, 401, 429])('with status %d is answered with 502, without a secret', async (status) => {
    stripe.failWith(status);
    const { status: answered, data } = await app.call('get', '/billing/getcheckoutsession?plan_id=team', token);
    expect([answered, data.error.code]).toEqual([502, 'upstream_failed']);
    expect(JSON.stringify(data)).not.toMatch(/sk_|whsec_/);
  });

  it('does not affect the history', async () => {
    await buy();
    stripe.failWith(500);
    expect(await history()).toMatchObject({ current_plan: { id: 'team' }, total: 1 });
  });

  it('that cannot be reached is answered with 502', async () => {
    const lone = await BillingApp.create({
      clock,
      stripe,
      database: app.database,
      env: { STRIPE_API_BASE: 'http://127.0.0.1:1' },
    });
    const { status } = await lone.call('get', '/billing/getcheckoutsession?plan_id=team', token);
    await lone.close();
    expect(status).toBe(502);
  });
});

describe('BillingReconciliationService', () => {
  it('looks up subscriptions after a day without messages', async () => {
    const { subscription } = await buy();
    stripe.end(subscription);
    expect(await app.get(BillingReconciliationService).run()).toBe(true);
    expect(await planId()).toBe('team');
    clock.seconds += DAY + 1;
    await app.get(BillingReconciliationService).run();
    expect(await planId()).toBeNull();
  });

  it('deletes old checkouts and messages', async () => {
    await buy();
    clock.seconds += 50 * DAY;
    await app.get(BillingReconciliationService).run();
    const left = await app.database.dataSource.query<unknown[]>(
      'SELECT org_id FROM billing_checkout WHERE org_id = $1 UNION ALL SELECT org_id FROM billing_event WHERE org_id = $1',
      [orgId],
    );
    expect(left).toEqual([]);
  });
});

describe('the deletion of an organisation', () => {
  const deleteOrg = () => app.get(OrgErasureService).begin(orgId, SYSTEM_ACTOR);
  const isStored = async () =>
    (await app.database.dataSource.query<unknown[]>('SELECT id FROM org WHERE id = $1', [orgId])).length === 1;

  it('cancels its subscription at the provider before the organisation is erased', async () => {
    const { subscription } = await buy();
    await deleteOrg();
    clock.seconds += 60;
    stripe.failWith(500);
    await app.get(OrgErasureWorkerService).run();
    expect([subscription.status, await isStored()]).toEqual(['active', true]);
    stripe.failWith(null);
    await app.get(OrgErasureWorkerService).run();
    expect([subscription.status, await isStored()]).toEqual(['canceled', false]);
  });

  it('erases the organisation after 12 hours when the provider keeps failing', async () => {
    await buy();
    await deleteOrg();
    clock.seconds += 12 * 3600;
    stripe.failWith(500);
    await app.get(OrgErasureWorkerService).run();
    expect(await isStored()).toBe(false);
  });

  it('makes later messages about the organisation have no effect', async () => {
    const { subscription } = await buy();
    await deleteOrg();
    await app.get(SubscriptionEndingService).endAll(orgId);
    const message = stripe.event('customer.subscription.deleted', subscription);
    expect((await app.deliver(message)).status).toBe(200);
  });
});

describe('the rate limit of messages', () => {
  let busy: BillingApp;
  beforeAll(async () => {
    const env = { PLUMBLINE_LIMIT_ANONYMOUS: '1', PLUMBLINE_LIMIT_PAYMENT_CALLBACK: '3' };
    busy = await BillingApp.create({ clock, stripe, database: app.database, env });
  });
  afterAll(() => busy.close());

  it('is separate from the general limit, and named in the answer', async () => {
    const { subscription } = await buy();
    await app.database.dataSource.query('TRUNCATE request_count');
    const answers: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const { status, headers } = await busy.deliver(stripe.event('customer.subscription.updated', subscription));
      answers.push([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]);
    }
    expect(answers).toEqual([
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
    ]);
    const comeBack = () => busy.call('get', '/org/paymentcallback?checkout_session_id=cs_1');
    expect((await comeBack()).headers).toMatchObject({ 'x-ratelimit-limit': '1' });
    expect((await comeBack()).status).toBe(429);
  });
});

describe('a metric limit for organisations without a plan', () => {
  let limited: BillingApp;
  beforeAll(async () => {
    const env = { PLUMBLINE_METRICS_WITHOUT_PLAN: '100', SIGNUP_MODE: 'open' };
    limited = await BillingApp.create({ clock, stripe, database: app.database, env });
  });
  afterAll(() => limited.close());

  it('applies again when a plan ends', async () => {
    const { subscription } = await buy();
    stripe.end(subscription);
    await limited.deliver(stripe.event('customer.subscription.deleted', subscription));
    expect(await app.metricLimit(orgId)).toBe(100);
  });

  it('applies to an organisation that signs up', async () => {
    const form = { email: 'ann@example.org', user_name: 'Ann', org_name: 'Ann Ltd', timezone: 'UTC' };
    const { status } = await limited.http().post('/api/signup/selfserve').send(form);
    const [org] = await app.database.dataSource.query<{ limit: number }[]>(
      `SELECT metric_limit AS "limit" FROM org WHERE name = 'Ann Ltd'`,
    );
    expect([status, org]).toEqual([200, { limit: 100 }]);
  });
});

describe('an installation without payment provider', () => {
  let plain: BillingApp;
  beforeAll(async () => {
    plain = await BillingApp.create({ clock, database: app.database });
  });
  afterAll(() => plain.close());

  it.each([
    ['get', '/billing/getcheckoutsession?plan_id=team'],
    ['get', '/billing/getportalsession'],
    ['get', '/billing/checkoutcallback?checkout_session_id=cs_1'],
    ['get', '/org/paymentcallback?checkout_session_id=cs_1'],
    ['post', '/org/paymentcallback'],
  ] as const)('answers %s %s with not_configured', async (method, path) => {
    const { status, data } = await plain.call(method, path, token);
    expect([status, data.error.code]).toEqual([503, 'not_configured']);
  });

  it('returns an empty history, even after earlier payments', async () => {
    await buy();
    expect((await plain.call('get', '/billing/history', token)).data).toEqual({
      history: [],
      plans: [],
      current_plan: null,
      renews_timestamp: null,
      cancels_timestamp: null,
      total: 0,
      limit: 100,
      offset: 0,
    });
    expect(await plain.get(PlanDirectoryService).getPlan(orgId)).toBeNull();
  });
});
