import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { type HandClock } from './hand-clock.js';

const SECRET_KEY = 'sk_test_plumbline_0123456789';
const WEBHOOK_SECRET = 'whsec_plumbline_0123456789';
/** The version that the installed package sends; the answers below have the shapes of this version. */
const API_VERSION = '2026-10-28.endive';
const MONTH = 30 * 86_400;
const CHECKOUT_SECONDS = 86_400;
const MAX_PER_LIST = 100;

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Members = Record<string, Json>;
type Form = ReadonlyMap<string, string>;

export interface Customer extends Members {
  id: string;
}
export interface Subscription extends Members {
  id: string;
  customer: string;
  created: number;
  status: string;
}
export interface Invoice extends Members {
  id: string;
  customer: string;
  created: number;
  status: string;
  total: number;
}
interface Charge extends Members {
  id: string;
  customer: string;
  created: number;
  payment_intent: string;
  refunded: boolean;
}
export interface CheckoutSession extends Members {
  id: string;
  customer: string;
  status: string;
  price: string;
}

/** A price of the account. */
export interface Price {
  id: string;
  amount: number;
  currency: string;
}

/** A received request, for expectations. */
export interface SeenRequest {
  method: string;
  path: string;
  form: Record<string, string>;
  idempotencyKey: string | undefined;
}

export interface Delivery {
  body: string;
  signature: string;
}

/** An error answer in the provider's form. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: { type: string; code?: string; param?: string; message: string },
  ) {
    super(error.message);
  }
}

interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: RegExp;
  /** Flattened names such as `line_items[0][price]`. */
  required: readonly string[];
  optional: readonly RegExp[];
  answer(form: Form, ...segments: string[]): Members;
}

/**
 * The part of Stripe that billing uses, as an HTTP server with state. It is as strict as the real one: authorization,
 * version, form bodies, unknown and missing parameters, idempotency keys. Messages are signed with the package's own
 * helper. It sends none by itself: `event` creates a message, and the test delivers it.
 */
export class StripeStandIn {
  readonly customers = new Map<string, Customer>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly charges = new Map<string, Charge>();
  readonly checkouts = new Map<string, CheckoutSession>();
  readonly requests: SeenRequest[] = [];
  /** Called before each answer. It may delay the answer, or throw the error to send. */
  before: ((request: SeenRequest) => Promise<void> | void) | undefined;
  private readonly replays = new Map<string, { fingerprint: string; status: number; body: string }>();
  private readonly prices: ReadonlyMap<string, Price>;
  private count = 0;

  private constructor(
    private readonly server: Server,
    private readonly clock: HandClock,
    prices: readonly Price[],
  ) {
    this.prices = new Map(prices.map((price) => [price.id, price]));
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(clock: HandClock, prices: readonly Price[]): Promise<StripeStandIn> {
    const server = createServer();
    const standIn = new StripeStandIn(server, clock, prices);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return standIn;
  }

  /** Settings of a product that uses this server, without its plans. */
  get env(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: `http://127.0.0.1:${String(port)}`,
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Makes every request fail with this status, as during an outage of the provider; null ends that. */
  failWith(status: number | null): void {
    this.before =
      status === null
        ? undefined
        : () => {
            throw new Refusal(status, { type: 'api_error', message: 'Something went wrong on our end.' });
          };
  }

  // ---------- actions of visitors and operators at the provider

  /** Simulates a payment: the subscription begins, and its first invoice is paid. */
  completeCheckout(sessionId: string): { subscription: Subscription; invoice: Invoice } {
    const session = this.checkouts.get(sessionId);
    if (session?.status !== 'open') throw new Error(`no open checkout ${sessionId}`);
    const subscription = this.subscribe(session.customer, session.price);
    Object.assign(session, { status: 'complete', payment_status: 'paid', subscription: subscription.id });
    return { subscription, invoice: this.bill(subscription) };
  }

  subscribe(customer: string, price: string): Subscription {
    const id = this.id('sub');
    const created = this.clock.seconds;
    const item = { id: this.id('si'), object: 'subscription_item', price: this.priceObject(price), quantity: 1 };
    const period = { current_period_start: created, current_period_end: created + MONTH };
    const subscription: Subscription = {
      id,
      object: 'subscription',
      customer,
      created,
      status: 'active',
      cancel_at: null,
      cancel_at_period_end: false,
      ended_at: null,
      items: { object: 'list', data: [{ ...item, ...period }], has_more: false, url: '/v1/subscription_items' },
    };
    this.subscriptions.set(id, subscription);
    return subscription;
  }

  /** Changes the price of a subscription. */
  changePrice(subscription: Subscription, price: string): void {
    const { items } = subscription as unknown as { items: { data: { price: Json }[] } };
    items.data[0]!.price = this.priceObject(price);
  }

  /** Creates a paid invoice for the current period of a subscription. */
  bill(subscription: Subscription): Invoice {
    const { items } = subscription as unknown as {
      items: {
        data: { id: string; price: { id: string }; current_period_start: number; current_period_end: number }[];
      };
    };
    const [item] = items.data;
    const price = this.prices.get(item!.price.id)!;
    const id = this.id('in');
    const intent = this.id('pi');
    const charge: Charge = {
      id: this.id('ch'),
      object: 'charge',
      customer: subscription.customer,
      created: this.clock.seconds,
      payment_intent: intent,
      amount: price.amount,
      refunded: false,
    };
    this.charges.set(charge.id, charge);
    const invoice: Invoice = {
      id,
      object: 'invoice',
      customer: subscription.customer,
      created: this.clock.seconds,
      status: 'paid',
      currency: price.currency,
      total: price.amount,
      description: null,
      period_start: this.clock.seconds,
      period_end: this.clock.seconds,
      post_payment_credit_notes_amount: 0,
      hosted_invoice_url: `https://invoice.example.org/${id}`,
      lines: {
        object: 'list',
        has_more: false,
        url: `/v1/invoices/${id}/lines`,
        data: [
          {
            id: this.id('il'),
            object: 'line_item',
            description: `1 × ${price.id}`,
            period: { start: item!.current_period_start, end: item!.current_period_end },
            pricing: { type: 'price_details', price_details: { price: price.id, product: 'prod_1' } },
            parent: {
              type: 'subscription_item_details',
              invoice_item_details: null,
              subscription_item_details: {
                proration: false,
                subscription: subscription.id,
                subscription_item: item!.id,
              },
            },
          },
        ],
      },
      // Omitted from answers unless expanded.
      payments: {
        object: 'list',
        has_more: false,
        url: `/v1/invoice_payments`,
        data: [
          {
            id: this.id('inpay'),
            object: 'invoice_payment',
            status: 'paid',
            payment: { type: 'payment_intent', payment_intent: intent },
          },
        ],
      },
    };
    this.invoices.set(id, invoice);
    return invoice;
  }

  /** Refunds an invoice completely; returns the charge. */
  refund(invoice: Invoice): Charge {
    const { payments } = invoice as unknown as { payments: { data: { payment: { payment_intent: string } }[] } };
    const intent = payments.data[0]!.payment.payment_intent;
    const charge = [...this.charges.values()].find(({ payment_intent: of }) => of === intent)!;
    charge.refunded = true;
    return charge;
  }

  end(subscription: Subscription): void {
    Object.assign(subscription, { status: 'canceled', ended_at: this.clock.seconds });
  }

  /** Deletes a customer and ends its subscriptions. */
  deleteCustomer(id: string): void {
    this.customers.set(id, { id, object: 'customer', deleted: true });
    for (const subscription of this.subscriptions.values()) if (subscription.customer === id) this.end(subscription);
  }

  // ---------- messages

  /** A signed message with the current state of an object. */
  event(type: string, object: Members, { id = this.id('evt') }: { id?: string } = {}): Delivery {
    const data = { object: { ...object } };
    const event = { id, object: 'event', api_version: API_VERSION, created: this.clock.seconds, type, data };
    return this.sign(JSON.stringify(event));
  }

  /** Signs a body; `secret` and `age` (seconds) may be wrong on purpose. */
  sign(body: string, { secret = WEBHOOK_SECRET, age = 0 }: { secret?: string; age?: number } = {}): Delivery {
    const timestamp = Math.floor(this.clock.now()) - age;
    return { body, signature: Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) };
  }

  // ---------- the API

  private readonly routes: readonly Route[] = [
    {
      method: 'POST',
      path: /^\/v1\/customers$/,
      required: [],
      optional: [/^(name|email|description)$/, /^metadata\[\w+\]$/],
      answer: (form) => {
        const customer: Customer = { id: this.id('cus'), object: 'customer', created: this.clock.seconds };
        this.customers.set(customer.id, this.described(customer, form));
        return customer;
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/customers\/(\w+)$/,
      required: [],
      optional: [/^(name|email|description)$/, /^metadata\[\w+\]$/],
      answer: (form, id) => this.described(this.customer(id, 'id', 404), form),
    },
    {
      method: 'GET',
      path: /^\/v1\/customers\/(\w+)$/,
      required: [],
      optional: [],
      answer: (_form, id) => this.customers.get(id) ?? missing('customer', id, 'id', 404),
    },
    {
      method: 'POST',
      path: /^\/v1\/checkout\/sessions$/,
      required: ['mode', 'success_url', 'line_items[0][price]', 'line_items[0][quantity]'],
      optional: [
        /^(customer|client_reference_id|cancel_url)$/,
        /^metadata\[\w+\]$/,
        /^subscription_data\[metadata\]\[\w+\]$/,
      ],
      answer: (form) => this.openCheckout(form),
    },
    {
      method: 'GET',
      path: /^\/v1\/checkout\/sessions\/(\w+)$/,
      required: [],
      optional: [],
      answer: (_form, id) => this.checkouts.get(id) ?? missing('checkout.session', id, 'session', 404),
    },
    {
      method: 'POST',
      path: /^\/v1\/billing_portal\/sessions$/,
      required: ['customer'],
      optional: [/^return_url$/],
      answer: (form) => {
        const { id: customer } = this.customer(form.get('customer')!, 'customer', 400);
        const id = this.id('bps');
        const returnUrl = form.get('return_url') ?? null;
        const url = `https://billing.example.org/p/session/${id}`;
        return {
          id,
          object: 'billing_portal.session',
          created: this.clock.seconds,
          customer,
          return_url: returnUrl,
          url,
        };
      },
    },
    this.list('subscriptions', this.subscriptions, [/^status$/], (subscription, form) => {
      const status = form.get('status') ?? 'not canceled';
      if (status === 'all') return true;
      return status === 'not canceled' ? subscription.status !== 'canceled' : subscription.status === status;
    }),
    this.list('invoices', this.invoices, [/^(status|subscription)$/, /^expand\[\d+\]$/]),
    this.list('charges', this.charges, []),
    {
      method: 'DELETE',
      path: /^\/v1\/subscriptions\/(\w+)$/,
      required: [],
      optional: [/^(invoice_now|prorate)$/],
      answer: (_form, id) => {
        const subscription = this.subscriptions.get(id);
        if (!subscription || subscription.status === 'canceled') return missing('subscription', id, 'id', 404);
        this.end(subscription);
        return subscription;
      },
    },
  ];

  private list<T extends Members & { customer: string; created: number }>(
    name: string,
    rows: ReadonlyMap<string, T>,
    optional: readonly RegExp[],
    fits: (row: T, form: Form) => boolean = () => true,
  ): Route {
    return {
      method: 'GET',
      path: new RegExp(`^/v1/${name}$`),
      required: [],
      optional: [/^(customer|limit|starting_after|ending_before)$/, ...optional],
      answer: (form) => {
        const customer = this.customer(form.get('customer') ?? '', 'customer', 400).id;
        const limit = Number(form.get('limit') ?? 10);
        if (!(limit >= 1 && limit <= MAX_PER_LIST)) throw invalid('limit', 'parameter_invalid_integer');
        const isExpanded = [...form].some(([key, value]) => key.startsWith('expand[') && value === 'data.payments');
        const found = [...rows.values()]
          .filter((row) => row.customer === customer && fits(row, form))
          .reverse()
          .map(({ payments, ...row }) => (isExpanded && payments !== undefined ? { ...row, payments } : row));
        return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url: `/v1/${name}` };
      },
    };
  }

  private openCheckout(form: Form): CheckoutSession {
    if (form.get('mode') !== 'subscription') throw invalid('mode');
    const { id: customer } = this.customer(form.get('customer') ?? '', 'customer', 400);
    const price = form.get('line_items[0][price]')!;
    if (!this.prices.has(price)) missing('price', price, 'line_items[0][price]', 400);
    for (const name of ['success_url', 'cancel_url']) {
      const address = form.get(name);
      if (address !== undefined && !URL.canParse(address)) throw invalid(name, 'url_invalid');
    }
    const id = this.id('cs_test');
    const session: CheckoutSession = {
      id,
      object: 'checkout.session',
      mode: 'subscription',
      customer,
      client_reference_id: form.get('client_reference_id') ?? null,
      created: this.clock.seconds,
      expires_at: this.clock.seconds + CHECKOUT_SECONDS,
      status: 'open',
      payment_status: 'unpaid',
      subscription: null,
      success_url: form.get('success_url')!.replaceAll('{CHECKOUT_SESSION_ID}', id),
      cancel_url: form.get('cancel_url') ?? null,
      url: `https://checkout.example.org/c/pay/${id}`,
      price,
    };
    this.checkouts.set(id, session);
    return session;
  }

  private customer(id: string, param: string, status: number): Customer {
    const customer = this.customers.get(id);
    if (!customer || customer.deleted === true) return missing('customer', id, param, status);
    return customer;
  }

  private described(customer: Customer, form: Form): Customer {
    for (const name of ['name', 'email']) if (form.has(name)) customer[name] = form.get(name)!;
    return customer;
  }

  private priceObject(id: string): Members {
    const { amount, currency } = this.prices.get(id)!;
    return { id, object: 'price', unit_amount: amount, currency, recurring: { interval: 'month', interval_count: 1 } };
  }

  private id(kind: string): string {
    return `${kind}_${String(++this.count).padStart(6, '0')}`;
  }

  // ---------- HTTP

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { status, answer } = await this.handle(request, body);
    const requestId = this.id('req');
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': requestId });
    response.end(answer);
  }

  private async handle(request: IncomingMessage, body: string): Promise<{ status: number; answer: string }> {
    try {
      return await this.answer(request, body);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, answer: JSON.stringify({ error: error.error }) };
    }
  }

  private async answer(request: IncomingMessage, body: string): Promise<{ status: number; answer: string }> {
    const url = new URL(request.url ?? '/', 'http://stripe.invalid');
    const method = request.method ?? '';
    checkHeaders(request);
    const isForm = method === 'POST';
    if (isForm && url.search !== '') throw invalid('query');
    const form = new Map(new URLSearchParams(isForm ? body : url.search));
    const key = request.headers['idempotency-key'] as string | undefined;
    const seen = { method, path: url.pathname, form: Object.fromEntries(form), idempotencyKey: key };
    this.requests.push(seen);
    await this.before?.(seen);
    const fingerprint = JSON.stringify([method, url.pathname, [...form].sort()]);
    const replay = isForm && key !== undefined ? this.replays.get(key) : undefined;
    if (replay) {
      if (replay.fingerprint === fingerprint) return { status: replay.status, answer: replay.body };
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.';
      throw new Refusal(400, { type: 'idempotency_error', message });
    }
    const answer = JSON.stringify(this.dispatch(method, url.pathname, form));
    if (isForm && key !== undefined) this.replays.set(key, { fingerprint, status: 200, body: answer });
    return { status: 200, answer };
  }

  private dispatch(method: string, path: string, form: Form): Members {
    const route = this.routes.find((candidate) => candidate.method === method && candidate.path.test(path));
    if (!route) {
      const message = `Unrecognized request URL (${method}: ${path}).`;
      throw new Refusal(404, { type: 'invalid_request_error', message });
    }
    for (const name of form.keys()) {
      if (route.required.includes(name) || route.optional.some((allowed) => allowed.test(name))) continue;
      throw invalid(name, 'parameter_unknown');
    }
    for (const name of route.required) if ((form.get(name) ?? '') === '') throw invalid(name, 'parameter_missing');
    const [, ...segments] = route.path.exec(path) ?? [];
    return route.answer(form, ...segments);
  }
}

function checkHeaders(request: IncomingMessage): void {
  const { authorization, 'stripe-version': version, 'content-type': type } = request.headers;
  if (authorization !== `Bearer ${SECRET_KEY}`) {
    throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****' });
  }
  if (version !== API_VERSION) {
    throw new Refusal(400, {
      type: 'invalid_request_error',
      message: `Invalid Stripe API version: ${String(version)}`,
    });
  }
  if (request.method === 'POST' && type !== 'application/x-www-form-urlencoded') throw invalid('content-type');
}

function invalid(param: string, code?: string): Refusal {
  const error = { type: 'invalid_request_error', param, message: `Invalid or unknown parameter: ${param}` };
  return new Refusal(400, code === undefined ? error : { ...error, code });
}

function missing(kind: string, id: string, param: string, status: number): never {
  const message = `No such ${kind}: '${id}'`;
  throw new Refusal(status, { type: 'invalid_request_error', code: 'resource_missing', param, message });
}
