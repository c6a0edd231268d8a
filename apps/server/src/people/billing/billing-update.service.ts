import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { dateOf } from '../../common/time.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { type BillingAccountEntity } from './billing.entity.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingRecordRepository } from './billing-record.repository.js';
import { type ProviderAccount, type ProviderEvent } from './billing.types.js';
import { PlanChangesService } from './plan-changes.service.js';
import { ProviderAnswersService } from './provider-answers.service.js';

/**
 * Stores one answer of the payment provider: state of the account, invoices, and the message that caused the request.
 */
@Injectable()
export class BillingUpdateService {
  constructor(
    private readonly answers: ProviderAnswersService,
    private readonly planChanges: PlanChangesService,
    private readonly accounts: BillingAccountRepository,
    private readonly records: BillingRecordRepository,
    private readonly applied: BillingEventRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @param found the account as it was before the request to the provider
   * @returns events to record; undefined, and nothing is stored, if the account has changed since then
   */
  async write(
    found: BillingAccountEntity,
    answer: ProviderAccount,
    event: ProviderEvent | undefined,
    tx: Tx,
  ): Promise<OrgEvent[] | undefined> {
    const { orgId } = found;
    const account = await this.accounts.lock(orgId, tx);
    if (account?.revision !== found.revision || account.customerId !== found.customerId) return undefined;
    const state = this.answers.stateOf(account, answer.subscriptions);
    await this.accounts.write(orgId, account.revision + 1, state, tx);
    await this.records.upsert(orgId, this.answers.recordsOf(answer.invoices), tx);
    if (event) {
      await this.applied.record(
        orgId,
        { eventId: event.id, type: event.type, appliedAt: dateOf(this.clock.now()) },
        tx,
      );
    }
    return this.planChanges.follow(account, state, tx);
  }
}
