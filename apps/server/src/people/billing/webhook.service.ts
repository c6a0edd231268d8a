import { Injectable } from '@nestjs/common';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingSyncService } from './billing-sync.service.js';
import { BillingConfig } from './billing.config.js';
import { BillingNotConfiguredError } from './billing.errors.js';
import { type WebhookAnswerDto } from './dto/checkout.dto.js';
import { PaymentProviderService } from './payment-provider.service.js';

/** Messages that may report a change. All others are accepted and ignored. */
const OF_INTEREST =
  /^(checkout\.session\.|customer\.subscription\.|invoice\.|credit_note\.|charge\.refund|customer\.deleted$)/;

/** Receives the messages of the payment provider. Each reports only that something has changed for a customer. */
@Injectable()
export class WebhookService {
  constructor(
    private readonly config: BillingConfig,
    private readonly provider: PaymentProviderService,
    private readonly accounts: BillingAccountRepository,
    private readonly applied: BillingEventRepository,
    private readonly sync: BillingSyncService,
  ) {}

  /** @throws PaymentProviderError if the provider is unavailable now; it sends the message again later */
  async receive(body: Buffer, signature: string): Promise<WebhookAnswerDto> {
    if (!this.config.isConfigured) throw new BillingNotConfiguredError();
    const event = await this.provider.readEvent(body, signature);
    if (event.customerId === null || !OF_INTEREST.test(event.type)) return { message: 'Nothing to do.' };
    const orgId = await this.accounts.orgOfCustomer(event.customerId);
    if (orgId === null) return { message: 'Not a customer of this installation.' };
    if (await this.applied.isApplied(orgId, event.id)) return { message: 'Known already.' };
    await this.sync.refresh(orgId, event);
    return { message: 'OK' };
  }
}
