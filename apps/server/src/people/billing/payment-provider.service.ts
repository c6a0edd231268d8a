import { Injectable, Logger } from '@nestjs/common';
import type Stripe from 'stripe';
import { Clock } from '../../common/clock.js';
import { productVersion } from '../../common/product-version.js';
import { BillingConfig } from './billing.config.js';
import {
  BillingNotConfiguredError,
  PaymentProviderError,
  UnknownCustomerError,
  WebhookSignatureError,
} from './billing.errors.js';
import {
  type BillingStatus,
  type OpenedCheckout,
  type ProviderAccount,
  type ProviderCheckout,
  type ProviderEvent,
  type ProviderInvoice,
  type ProviderSubscription,
} from './billing.types.js';

/** Timeout of one attempt. The library retries a request once if a repetition has no second effect. */
const TIMEOUT_MS = 5000;
const RETRIES = 1;
const SIGNATURE_TOLERANCE_SECONDS = 300;
/** The provider does not report an expiry: an address of the portal that was not opened is valid for five minutes. */
const PORTAL_LINK_SECONDS = 300;
const PER_LIST = 100;
const NOTHING: ProviderAccount = { subscriptions: [], invoices: [] };
/** Statuses that entitle to a plan. While a payment is late the provider retries it, and the plan stays. */
const IN_FORCE = new Set<string>(['active', 'trialing', 'past_due']);

/** Loaded by the first request: few installations use payment, and the start is faster without it. */
const loadStripe = async (): Promise<typeof Stripe> => (await import('stripe')).default;

export interface NewCustomer {
  orgId: number;
  name: string;
  email: string | undefined;
  /** Repeated requests with the same key create only one customer. */
  key: string;
}

export interface NewCheckout {
  orgId: number;
  customerId: string;
  price: string;
  planId: string;
  /** Addresses that the browser is redirected to; the provider replaces `{CHECKOUT_SESSION_ID}` in the first. */
  successUrl: string;
  cancelUrl: string;
}

/** The only client of Stripe. Every request has a time limit, and a failure is a 502. */
@Injectable()
export class PaymentProviderService {
  private readonly logger = new Logger(PaymentProviderService.name);
  private client: Stripe | undefined;

  constructor(
    private readonly config: BillingConfig,
    private readonly clock: Clock,
  ) {}

  /** Creates a customer and returns its id. */
  async createCustomer({ orgId, name, email, key }: NewCustomer): Promise<string> {
    // The same key requires the same parameters; names change.
    const fixed = { metadata: { org_id: String(orgId) } };
    const { id } = await this.request((stripe) => stripe.customers.create(fixed, { idempotencyKey: key }));
    await this.request((stripe) => stripe.customers.update(id, { name, ...(email === undefined ? {} : { email }) }));
    return id;
  }

  /** @throws UnknownCustomerError */
  async openCheckout(checkout: NewCheckout): Promise<OpenedCheckout> {
    const metadata = { org_id: String(checkout.orgId), plan_id: checkout.planId };
    const session = await this.request((stripe) =>
      stripe.checkout.sessions.create({
        mode: 'subscription',
        customer: checkout.customerId,
        client_reference_id: String(checkout.orgId),
        line_items: [{ price: checkout.price, quantity: 1 }],
        metadata,
        subscription_data: { metadata },
        success_url: checkout.successUrl,
        cancel_url: checkout.cancelUrl,
      }),
    );
    if (session.url === null) throw new PaymentProviderError();
    return { id: session.id, url: session.url, expiresTimestamp: session.expires_at };
  }

  /** Null if the provider does not know the checkout. */
  async findCheckout(id: string): Promise<ProviderCheckout | null> {
    const session = await this.request((stripe) => stripe.checkout.sessions.retrieve(id).catch(nullWhenMissing));
    return session && { customerId: idOf(session.customer), isComplete: session.status === 'complete' };
  }

  /** Opens a session of the portal. @throws UnknownCustomerError */
  async openPortal(customerId: string, returnUrl: string): Promise<{ url: string; expiresTimestamp: number }> {
    const { url, created } = await this.request((stripe) =>
      stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl }),
    );
    return { url, expiresTimestamp: created + PORTAL_LINK_SECONDS };
  }

  /** Returns the current subscriptions and invoices. @throws UnknownCustomerError */
  async accountOf(customerId: string): Promise<ProviderAccount> {
    try {
      return await this.lookUp(customerId);
    } catch (error) {
      if (error instanceof UnknownCustomerError && (await this.isDeleted(customerId))) return NOTHING;
      throw error;
    }
  }

  /** Ends a subscription immediately. It is not an error if it has already ended. */
  async endSubscription(id: string): Promise<void> {
    await this.request((stripe) => stripe.subscriptions.cancel(id).catch(nullWhenMissing));
  }

  /**
   * Returns the event of a webhook request.
   * @throws WebhookSignatureError unless the provider signed exactly these bytes within five minutes of now
   */
  async readEvent(body: Buffer, signature: string): Promise<ProviderEvent> {
    const { webhookSecret } = this.config;
    if (webhookSecret === undefined) throw new BillingNotConfiguredError();
    const { webhooks } = await loadStripe();
    let event: Stripe.Event;
    try {
      const now = this.clock.now();
      const tolerance = SIGNATURE_TOLERANCE_SECONDS;
      event = webhooks.constructEvent(body, signature, webhookSecret, tolerance, undefined, now * 1000);
      // The library rejects only old messages: one dated in the future could be replayed until that time.
      if (signedAt(signature) > now + tolerance) throw new WebhookSignatureError();
    } catch {
      // Also a signed body that is not JSON: only the provider can sign, and it sends JSON.
      throw new WebhookSignatureError();
    }
    const { object } = event.data as { object?: { id?: unknown; object?: unknown; customer?: unknown } };
    const customer = object?.object === 'customer' ? object.id : object?.customer;
    return { id: event.id, type: event.type, customerId: typeof customer === 'string' ? customer : null };
  }

  private lookUp(customerId: string): Promise<ProviderAccount> {
    const list = { customer: customerId, limit: PER_LIST };
    return this.request(async (stripe) => {
      const [subscriptions, invoices] = await Promise.all([
        stripe.subscriptions.list({ ...list, status: 'all' }),
        stripe.invoices.list({ ...list, expand: ['data.payments'] }),
      ]);
      const isAnyPaid = invoices.data.some(({ status }) => status === 'paid');
      const charges = isAnyPaid ? (await stripe.charges.list(list)).data : [];
      const refunded = new Set(
        charges
          .filter((charge) => charge.refunded)
          .flatMap(({ id, payment_intent: intent }) => [id, idOf(intent) ?? id]),
      );
      return {
        subscriptions: subscriptions.data
          .filter(({ status }) => IN_FORCE.has(status))
          .map(toSubscription)
          .sort((a, b) => b.createdTimestamp - a.createdTimestamp),
        invoices: invoices.data.flatMap((invoice) => toInvoice(invoice, refunded)),
      };
    });
  }

  /** True if the customer existed at the provider and was deleted; false for one of another account. */
  private async isDeleted(customerId: string): Promise<boolean> {
    const customer = await this.request((stripe) => stripe.customers.retrieve(customerId).catch(nullWhenMissing));
    return customer?.deleted === true;
  }

  /** Runs one request. A failure is logged by kind only: messages and requests of the provider may contain secrets. */
  private async request<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    const sdk = await loadStripe();
    try {
      return await work((this.client ??= this.connect(sdk)));
    } catch (error) {
      if (!(error instanceof sdk.errors.StripeError)) throw error;
      const { type, code = 'none', param = 'none', statusCode = 'none', requestId = 'none' } = error;
      const facts = `code ${code}, parameter ${param}, status ${String(statusCode)}, request ${requestId}`;
      this.logger.warn(`A request to the payment provider failed: ${type}, ${facts}`);
      throw code === 'resource_missing' && param === 'customer'
        ? new UnknownCustomerError()
        : new PaymentProviderError();
    }
  }

  private connect(sdk: typeof Stripe): Stripe {
    const { secretKey, apiBase } = this.config;
    if (secretKey === undefined) throw new BillingNotConfiguredError();
    const { protocol, hostname, port } = new URL(apiBase);
    return new sdk(secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: RETRIES,
      telemetry: false,
      appInfo: { name: 'Plumbline', version: productVersion() },
    });
  }
}

async function nullWhenMissing(error: unknown): Promise<null> {
  const { errors } = await loadStripe();
  if (error instanceof errors.StripeError && error.code === 'resource_missing') return null;
  throw error;
}

function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const { items, cancel_at: cancelAt, cancel_at_period_end: endsWithPeriod } = subscription;
  const periodEnds = items.data.map((item) => item.current_period_end);
  const periodEnd = periodEnds.length === 0 ? null : Math.min(...periodEnds);
  const cancelsTimestamp = cancelAt ?? (endsWithPeriod ? periodEnd : null);
  const isLastPeriod = cancelsTimestamp !== null && periodEnd !== null && cancelsTimestamp <= periodEnd;
  return {
    id: subscription.id,
    createdTimestamp: subscription.created,
    prices: items.data.map((item) => item.price.id),
    renewsTimestamp: isLastPeriod ? null : periodEnd,
    cancelsTimestamp,
  };
}

/** Empty for a draft: it has no payable amount yet. */
function toInvoice(invoice: Stripe.Invoice, refunded: ReadonlySet<string>): ProviderInvoice[] {
  const status = statusOf(invoice, refunded);
  if (status === undefined) return [];
  const lines = invoice.lines.data;
  // When a plan changes, invoices also have lines for parts of periods; the line of the whole period names the
  // continuing plan.
  const line = lines.findLast(({ parent }) => parent?.subscription_item_details?.proration === false) ?? lines.at(-1);
  return [
    {
      id: invoice.id,
      createdTimestamp: invoice.created,
      periodFrom: line?.period.start ?? invoice.period_start,
      periodUntil: line?.period.end ?? invoice.period_end,
      price: idOf(line?.pricing?.price_details?.price),
      description: line?.description ?? invoice.description ?? '',
      amount: invoice.total,
      currency: invoice.currency.toUpperCase(),
      status,
      url: invoice.hosted_invoice_url ?? null,
    },
  ];
}

function statusOf(invoice: Stripe.Invoice, refunded: ReadonlySet<string>): BillingStatus | undefined {
  switch (invoice.status) {
    case 'paid': {
      const payments = invoice.payments?.data ?? [];
      const isPaidBack = payments.some(
        ({ payment }) => refunded.has(idOf(payment.payment_intent) ?? '') || refunded.has(idOf(payment.charge) ?? ''),
      );
      const isCredited = invoice.total > 0 && invoice.post_payment_credit_notes_amount >= invoice.total;
      return isPaidBack || isCredited ? 'refunded' : 'paid';
    }
    case 'void':
      return 'void';
    case 'open':
    case 'uncollectible':
      // The provider has given up collecting it, but it can still be paid.
      return 'open';
    default:
      return undefined;
  }
}

/**
 * The time in a signature that has been checked, in Unix seconds. If there are several, the library signs and checks
 * the last one.
 */
function signedAt(signature: string): number {
  const times = signature.split(',').filter((part) => part.startsWith('t='));
  return Number.parseInt(times.at(-1)?.slice(2) ?? '', 10);
}
