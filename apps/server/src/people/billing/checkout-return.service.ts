import { Injectable } from '@nestjs/common';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingSyncService } from './billing-sync.service.js';
import { BillingConfig } from './billing.config.js';
import { BillingNotConfiguredError, CheckoutNotFoundError } from './billing.errors.js';
import { type CheckoutReturnDto } from './dto/checkout.dto.js';
import { type CheckoutReturnParams, type CheckoutResult } from './dto/checkout.params.js';
import { OpenedCheckoutsService } from './opened-checkouts.service.js';
import { PaymentProviderService } from './payment-provider.service.js';
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
