import { Injectable } from '@nestjs/common';
import { createHash, randomUUID } from 'node:crypto';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { Transactions } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { dateOf } from '../../common/time.js';
import { OrgService } from '../org/org.service.js';
import { UserService } from '../user/user.service.js';
import { type BillingAccountEntity } from './billing-account.entity.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingCheckoutRepository } from './billing-checkout.repository.js';
import { BillingSync } from './billing-sync.service.js';
import { BillingConfig } from './billing.config.js';
import {
  AlreadySubscribedError,
  BillingNotConfiguredError,
  CheckoutNotFoundError,
  NoSubscriptionError,
  PaymentProviderError,
  ReturnAddressError,
  UnknownCustomerError,
  UnknownPlanError,
} from './billing.errors.js';
import { type OpenedCheckout } from './billing.types.js';
import { type CheckoutReturnDto, type CheckoutSessionDto, type PortalSessionDto } from './dto/checkout.dto.js';
import { type CheckoutReturnParams, type CheckoutResult } from './dto/checkout.params.js';
import { PaymentProvider } from './payment-provider.service.js';
import { type OfferedPlan } from './plan.types.js';

/** Page of the console. */
const BILLING_PAGE = '/billing';
/** Filled in by the provider. */
const SESSION_PLACEHOLDER = '{CHECKOUT_SESSION_ID}';

/** Where a browser goes that comes back from a checkout, and what happened there. */
export interface CheckoutReturn {
  answer: CheckoutReturnDto;
  consoleUrl: string;
}

/** Visits to the pages of the payment provider, and the way back. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly config: BillingConfig,
    private readonly server: ServerConfig,
    private readonly links: Links,
    private readonly provider: PaymentProvider,
    private readonly sync: BillingSync,
    private readonly accounts: BillingAccountRepository,
    private readonly checkouts: BillingCheckoutRepository,
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  async open(caller: KnownCaller, planId: string, returnUrl: string | undefined): Promise<CheckoutSessionDto> {
    this.requireProvider();
    const returnTo = this.returnAddress(returnUrl);
    const plan = this.config.plans.find(({ id }) => id === planId);
    if (!plan) throw new UnknownPlanError(this.config.plans.map(({ id }) => id));
    const checkout = await this.openFor(caller, plan, returnTo);
    const orgId = caller.org.id;
    await this.transactions.run(async (tx) => {
      const expiresAt = dateOf(checkout.expiresTimestamp);
      const sessionHash = hashOf(checkout.id);
      await this.checkouts.insert(orgId, { sessionHash, planId, returnUrl: returnTo, expiresAt }, tx);
      const object = { type: 'plan', id: plan.id, name: plan.name };
      await this.audit.record({ orgId, actor: actorOf(caller), action: 'billing.checkout', object }, tx);
    });
    return {
      session_id: checkout.id,
      url: checkout.url,
      expires_timestamp: checkout.expiresTimestamp,
      message: 'OK',
    };
  }

  async openPortal(caller: KnownCaller, returnUrl: string | undefined): Promise<PortalSessionDto> {
    this.requireProvider();
    const returnTo = this.returnAddress(returnUrl);
    let account = await this.accounts.find(caller.org.id);
    // Somebody who has just paid may be faster than the provider's message.
    if (account?.customerId && !account.subscriptionId) account = await this.sync.refresh(caller.org.id);
    if (!account?.customerId || !account.subscriptionId) throw new NoSubscriptionError();
    return { url: await this.provider.openPortal(account.customerId, returnTo), message: 'OK' };
  }

  /** A browser is back. The plan follows what the provider says of the checkout, not what the browser says. */
  async comeBack({ checkout_session_id: sessionId }: CheckoutReturnParams): Promise<CheckoutReturn> {
    this.requireProvider();
    const known = await this.checkouts.findByHash(hashOf(sessionId));
    if (!known) throw new CheckoutNotFoundError();
    const { orgId, returnUrl } = known;
    const checkout = await this.provider.findCheckout(sessionId);
    if (!checkout) throw new CheckoutNotFoundError();
    const account = checkout.isComplete ? await this.sync.refresh(orgId) : await this.accounts.find(orgId);
    const result: CheckoutResult = checkout.isComplete ? 'success' : 'cancel';
    const consoleUrl = withResult(returnUrl, result);
    const message = checkout.isComplete ? 'OK' : 'The checkout is not finished; nothing was changed.';
    return { answer: { result, plan_id: account?.plan?.id ?? null, message }, consoleUrl };
  }

  private async openFor(caller: KnownCaller, plan: OfferedPlan, returnTo: string): Promise<OpenedCheckout> {
    const orgId = caller.org.id;
    const customerId = await this.customerOf(caller);
    try {
      await this.refuseSecond(orgId);
      return await this.openAs(customerId, orgId, plan, returnTo);
    } catch (error) {
      if (!(error instanceof UnknownCustomerError)) throw error;
      // Deleted there, or of another account of the provider: what is bought now needs a customer of today.
      await this.accounts.dropCustomer(orgId, customerId, randomUUID());
      return await this.openAs(await this.customerOf(caller), orgId, plan, returnTo);
    }
  }

  private async refuseSecond(orgId: number): Promise<void> {
    if (!(await this.accounts.find(orgId))?.subscriptionId) return;
    const now = await this.sync.refresh(orgId);
    if (now?.subscriptionId) throw new AlreadySubscribedError(now.plan?.name ?? now.subscriptionId);
  }

  private openAs(customerId: string, orgId: number, plan: OfferedPlan, returnTo: string): Promise<OpenedCheckout> {
    const back = this.links.api('/billing/checkoutcallback', { result: 'success' });
    return this.provider.openCheckout({
      orgId,
      customerId,
      price: plan.price,
      planId: plan.id,
      successUrl: `${back}&checkout_session_id=${SESSION_PLACEHOLDER}`,
      cancelUrl: withResult(returnTo, 'cancel'),
    });
  }

  /** The organisation's customer at the provider. However often and wherever it is asked for, one is made. */
  private async customerOf(caller: KnownCaller): Promise<string> {
    const orgId = caller.org.id;
    const account = await this.accounts.findOrInsert(orgId, randomUUID());
    if (account.customerId !== null) return account.customerId;
    const made = await this.makeCustomer(caller, account);
    await this.accounts.setCustomer(orgId, account.customerKey, made);
    const { customerId } = (await this.accounts.find(orgId)) ?? {};
    if (!customerId) throw new PaymentProviderError('The organisation changed meanwhile; try again.');
    return customerId;
  }

  private async makeCustomer(caller: KnownCaller, { orgId, customerKey }: BillingAccountEntity): Promise<string> {
    const { name } = await this.orgs.getById(orgId);
    const email =
      caller.kind === 'user' ? ((await this.users.getById(orgId, caller.userId)).email ?? undefined) : undefined;
    return this.provider.createCustomer({ orgId, name, email, key: customerKey });
  }

  /** @throws ReturnAddressError for an address that is not of the console */
  private returnAddress(given: string | undefined): string {
    if (given === undefined) return this.links.console(BILLING_PAGE);
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const { consoleOrigin } = this.server;
    if (url?.origin !== consoleOrigin || url.username !== '' || url.password !== '') {
      throw new ReturnAddressError(consoleOrigin);
    }
    return url.href;
  }

  private requireProvider(): void {
    if (!this.config.isConfigured) throw new BillingNotConfiguredError();
  }
}

/** The page of the console, told how the checkout went. */
function withResult(returnUrl: string, result: CheckoutResult): string {
  const url = new URL(returnUrl);
  url.searchParams.set('checkout', result);
  return url.href;
}

function hashOf(sessionId: string): Buffer {
  return createHash('sha256').update(sessionId).digest();
}
