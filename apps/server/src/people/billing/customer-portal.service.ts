import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingSyncService } from './billing-sync.service.js';
import { BillingConfig } from './billing.config.js';
import { BillingNotConfiguredError, NoSubscriptionError } from './billing.errors.js';
import { type PortalSessionDto } from './dto/checkout.dto.js';
import { PaymentProviderService } from './payment-provider.service.js';
import { ReturnAddressesService } from './return-addresses.service.js';

/** The provider's page on which a customer changes cards and plan. */
@Injectable()
export class CustomerPortalService {
  constructor(
    private readonly config: BillingConfig,
    private readonly addresses: ReturnAddressesService,
    private readonly provider: PaymentProviderService,
    private readonly sync: BillingSyncService,
    private readonly accounts: BillingAccountRepository,
  ) {}

  /** @throws ReturnAddressError, NoSubscriptionError */
  async open(caller: KnownCaller, returnUrl: string | undefined): Promise<PortalSessionDto> {
    if (!this.config.isConfigured) throw new BillingNotConfiguredError();
    const returnTo = this.addresses.resolve(returnUrl);
    let account = await this.accounts.find(caller.org.id);
    // A person who has just paid may arrive before the provider's message.
    if (account?.customerId && !account.subscriptionId) account = await this.sync.refresh(caller.org.id);
    if (!account?.customerId || !account.subscriptionId) throw new NoSubscriptionError();
    const { url, expiresTimestamp } = await this.provider.openPortal(account.customerId, returnTo);
    return { url, expires_timestamp: expiresTimestamp, message: 'OK' };
  }
}
