import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { type BillingAccountEntity } from './billing.entity.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingUpdateService } from './billing-update.service.js';
import { PaymentProviderError } from './billing.errors.js';
import { type ProviderEvent } from './billing.types.js';
import { PaymentProviderService } from './payment-provider.service.js';

/** Concurrent callers do the same work: each writes only data that is newer than the data it found. */
const TRIES = 5;

/**
 * Updates the stored data to the current state at the payment provider. Nothing else changes a plan, so it does not
 * matter which messages of the provider arrive, in which order, how often, and in how many processes.
 */
@Injectable()
export class BillingSyncService {
  constructor(
    private readonly provider: PaymentProviderService,
    private readonly accounts: BillingAccountRepository,
    private readonly update: BillingUpdateService,
    private readonly transactions: Transactions,
    private readonly events: EventRecorderService,
  ) {}

  /**
   * Requests the state of an organisation from the provider and stores the answer; `event` is marked as applied in the
   * same transaction.
   * @returns the current account, null for an organisation that never opened a checkout
   * @throws PaymentProviderError, in which case nothing is changed
   */
  async refresh(orgId: number, event?: ProviderEvent): Promise<BillingAccountEntity | null> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      // Read before the request: an unchanged revision at the time of writing means that the answer is the newest.
      const found = await this.accounts.find(orgId);
      if (!found?.customerId) return found;
      const answer = await this.provider.accountOf(found.customerId);
      const isWritten = await this.transactions.run(async (tx) => {
        const written = await this.update.write(found, answer, event, tx);
        for (const orgEvent of written ?? []) this.events.record(orgEvent, tx);
        return written !== undefined;
      });
      if (isWritten) return this.accounts.find(orgId);
    }
    throw new PaymentProviderError('Too many messages of the payment provider at once; try again soon.');
  }
}
