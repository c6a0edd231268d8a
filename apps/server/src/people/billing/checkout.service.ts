import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingCustomersService } from './billing-customers.service.js';
import { BillingSyncService } from './billing-sync.service.js';
import { BillingConfig } from './billing.config.js';
import {
  AlreadySubscribedError,
  BillingNotConfiguredError,
  UnknownCustomerError,
  UnknownPlanError,
} from './billing.errors.js';
import { type OpenedCheckout } from './billing.types.js';
import { type CheckoutSessionDto } from './dto/checkout.dto.js';
import { OpenedCheckoutsService } from './opened-checkouts.service.js';
import { PaymentProviderService } from './payment-provider.service.js';
import { type OfferedPlan } from './plan.types.js';
import { ReturnAddressesService } from './return-addresses.service.js';

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
    if (!plan) throw new UnknownPlanError(this.config.plans.map(({ id }) => id));
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
