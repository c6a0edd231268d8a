import { Injectable } from '@nestjs/common';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingConfig } from './billing.config.js';
import { PaymentProviderService } from './payment-provider.service.js';

/** Ends the subscription of an organisation that is deleted. */
@Injectable()
export class SubscriptionEndingService {
  constructor(
    private readonly config: BillingConfig,
    private readonly accounts: BillingAccountRepository,
    private readonly provider: PaymentProviderService,
  ) {}

  /**
   * Ends every subscription of an organisation at the payment provider, immediately and without another invoice. Call
   * it before the organisation's rows are erased; it can be repeated.
   * @throws PaymentProviderError if the provider cannot be reached now: try again later
   */
  async endAll(orgId: number): Promise<void> {
    if (!this.config.isConfigured) return;
    const account = await this.accounts.find(orgId);
    if (!account?.customerId) return;
    const { subscriptions } = await this.provider.accountOf(account.customerId);
    for (const { id } of subscriptions) await this.provider.endSubscription(id);
  }
}
