import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type KnownCaller } from '../../common/auth/caller.js';
import { OrgService } from '../org/org.service.js';
import { UserService } from '../user/user.service.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingSyncService } from './billing-sync.service.js';
import { BillingConfig } from './billing.config.js';
import { type BillingAccountEntity } from './billing.entity.js';
import {
  AlreadySubscribedError,
  BillingNotConfiguredError,
  CheckoutNotFoundError,
  PaymentProviderError,
  UnknownCustomerError,
  UnknownPlanError,
} from './billing.errors.js';
import { type OpenedCheckout } from './billing.types.js';
import { type CheckoutReturnDto, type CheckoutSessionDto } from './dto/checkout.dto.js';
import { type CheckoutResult, type CheckoutReturnParams } from './dto/checkout.params.js';
import { OpenedCheckoutsService } from './opened-checkouts.service.js';
import { PaymentProviderService } from './payment-provider.service.js';
import { type OfferedPlan } from './plan.types.js';
import { ReturnAddressesService } from './return-addresses.service.js';

/** The page for a browser that returns from a checkout, and the outcome of the checkout. */
export interface ReturnedCheckout {
  answer: CheckoutReturnDto;
  consoleUrl: string;
}

/** The redirect target after a checkout. */
@Injectable()
export class CheckoutReturnService {
  constructor(
    private readonly config: BillingConfig,
    private readonly addresses: ReturnAddressesService,
    private readonly provider: PaymentProviderService,
    private readonly sync: BillingSyncService,
    private readonly accounts: BillingAccountRepository,
    private readonly opened: OpenedCheckoutsService,
  ) {}

  /**
   * Handles a browser that returns. The plan follows the provider's state of the checkout, not the browser.
   * @throws CheckoutNotFoundError
   */
  async comeBack({ checkout_session_id: sessionId }: CheckoutReturnParams): Promise<ReturnedCheckout> {
    if (!this.config.isConfigured) throw new BillingNotConfiguredError();
    const known = await this.opened.find(sessionId);
    if (!known) throw new CheckoutNotFoundError();
    const { orgId, returnUrl } = known;
    const checkout = await this.provider.findCheckout(sessionId);
    if (!checkout) throw new CheckoutNotFoundError();
    const account = checkout.isComplete ? await this.sync.refresh(orgId) : await this.accounts.find(orgId);
    const result: CheckoutResult = checkout.isComplete ? 'success' : 'cancel';
    const consoleUrl = this.addresses.withResult(returnUrl, result);
    const message = checkout.isComplete ? 'OK' : 'The checkout is not finished; nothing was changed.';
    return { answer: { result, plan_id: account?.plan?.id ?? null, message }, consoleUrl };
  }
}

/** The customers of organisations at the payment provider. */
@Injectable()
export class BillingCustomersService {
  constructor(
    private readonly accounts: BillingAccountRepository,
    private readonly provider: PaymentProviderService,
    private readonly orgs: OrgService,
    private readonly users: UserService,
  ) {}

  /** Returns the organisation's customer at the provider. Concurrent and repeated calls create only one. */
  async getOrCreate(caller: KnownCaller): Promise<string> {
    const orgId = caller.org.id;
    const account = await this.accounts.findOrInsert(orgId, randomUUID());
    if (account.customerId !== null) return account.customerId;
    const created = await this.create(caller, account);
    await this.accounts.setCustomer(orgId, account.customerKey, created);
    const { customerId } = (await this.accounts.find(orgId)) ?? {};
    if (!customerId) throw new PaymentProviderError('The organisation changed meanwhile; try again.');
    return customerId;
  }

  /** Replaces a customer that the provider no longer has. Returns the id of the new one. */
  async replace(caller: KnownCaller, customerId: string): Promise<string> {
    await this.accounts.dropCustomer(caller.org.id, customerId, randomUUID());
    return this.getOrCreate(caller);
  }

  private async create(caller: KnownCaller, { orgId, customerKey }: BillingAccountEntity): Promise<string> {
    const { name } = await this.orgs.getById(orgId);
    const email =
      caller.kind === 'user' ? ((await this.users.getById(orgId, caller.userId)).email ?? undefined) : undefined;
    return this.provider.createCustomer({ orgId, name, email, key: customerKey });
  }
}

/** Opens checkouts at the payment provider. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly config: BillingConfig,
    private readonly addresses: ReturnAddressesService,
    private readonly provider: PaymentProviderService,
    private readonly customers: BillingCustomersService,
    private readonly sync: BillingSyncService,
    private readonly accounts: BillingAccountRepository,
    private readonly opened: OpenedCheckoutsService,
  ) {}

  /** @throws ReturnAddressError, UnknownPlanError, AlreadySubscribedError */
  async open(caller: KnownCaller, planId: string, returnUrl: string | undefined): Promise<CheckoutSessionDto> {
    if (!this.config.isConfigured) throw new BillingNotConfiguredError();
    const returnTo = this.addresses.resolve(returnUrl);
    const plan = this.config.plans.find(({ id }) => id === planId);
    if (!plan)
      throw new UnknownPlanError(
        planId,
        this.config.plans.map(({ id }) => id),
      );
    const checkout = await this.openFor(caller, plan, returnTo);
    await this.opened.record(caller, checkout, plan, returnTo);
    return {
      session_id: checkout.id,
      url: checkout.url,
      expires_timestamp: checkout.expiresTimestamp,
      message: 'OK',
    };
  }

  private async openFor(caller: KnownCaller, plan: OfferedPlan, returnTo: string): Promise<OpenedCheckout> {
    const orgId = caller.org.id;
    const customerId = await this.customers.getOrCreate(caller);
    try {
      await this.refuseSecond(orgId);
      return await this.openAs(customerId, orgId, plan, returnTo);
    } catch (error) {
      if (!(error instanceof UnknownCustomerError)) throw error;
      // The customer was deleted there, or belongs to another account of the provider: a new purchase needs a current
      // one.
      return await this.openAs(await this.customers.replace(caller, customerId), orgId, plan, returnTo);
    }
  }

  private async refuseSecond(orgId: number): Promise<void> {
    if (!(await this.accounts.find(orgId))?.subscriptionId) return;
    const now = await this.sync.refresh(orgId);
    if (now?.subscriptionId) throw new AlreadySubscribedError(now.plan?.name ?? now.subscriptionId);
  }

  private openAs(customerId: string, orgId: number, plan: OfferedPlan, returnTo: string): Promise<OpenedCheckout> {
    return this.provider.openCheckout({
      orgId,
      customerId,
      price: plan.price,
      planId: plan.id,
      successUrl: this.addresses.afterPayment(),
      cancelUrl: this.addresses.withResult(returnTo, 'cancel'),
    });
  }
}
