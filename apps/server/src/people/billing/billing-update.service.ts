import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { type Tx } from '../../common/database/transactions.js';
import { dateOf } from '../../common/time.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { BillingConfig } from './billing.config.js';
import { type BillingAccountEntity } from './billing.entity.js';
import { BillingAccountRepository, type BillingState } from './billing-account.repository.js';
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingRecordRepository } from './billing-record.repository.js';
import {
  type ProviderAccount,
  type ProviderEvent,
  type ProviderInvoice,
  type ProviderSubscription,
} from './billing.types.js';
import { PlanChangesService } from './plan-changes.service.js';
import { type OfferedPlan, type Plan } from './plan.types.js';

/**
 * Stores one answer of the payment provider: state of the account, invoices, and the message that caused the request.
 */
@Injectable()
export class BillingUpdateService {
  private readonly logger = new Logger(BillingUpdateService.name);

  constructor(
    private readonly planChanges: PlanChangesService,
    private readonly accounts: BillingAccountRepository,
    private readonly records: BillingRecordRepository,
    private readonly applied: BillingEventRepository,
    private readonly clock: Clock,
    private readonly config: BillingConfig,
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
    const state = this.stateOf(account, answer.subscriptions);
    await this.accounts.write(orgId, account.revision + 1, state, tx);
    await this.records.upsert(orgId, this.recordsOf(answer.invoices), tx);
    if (event) {
      await this.applied.record(
        orgId,
        { eventId: event.id, type: event.type, appliedAt: dateOf(this.clock.now()) },
        tx,
      );
    }
    return this.planChanges.follow(account, state, tx);
  }

  /** The state of an account with these subscriptions. If a price belongs to no plan, the account keeps its plan. */
  private stateOf(account: BillingAccountEntity, subscriptions: readonly ProviderSubscription[]): BillingState {
    const checkedAt = dateOf(this.clock.now());
    const chosen = this.choose(subscriptions);
    if (!chosen) return { subscriptionId: null, plan: null, renewsAt: null, cancelsAt: null, checkedAt };
    const { subscription, plan } = chosen;
    if (!plan) {
      const prices = subscription.prices.join(', ');
      this.logger.warn(
        `Organisation ${String(account.orgId)} pays for ${prices}, which is not a plan in PLUMBLINE_PLANS; its limit stays`,
      );
    }
    return {
      subscriptionId: subscription.id,
      plan: plan ? planOnly(plan) : account.plan,
      renewsAt: moment(subscription.renewsTimestamp),
      cancelsAt: moment(subscription.cancelsTimestamp),
      checkedAt,
    };
  }

  /** Rows of the invoice history. */
  private recordsOf(invoices: readonly ProviderInvoice[]) {
    return invoices.map((invoice) => {
      const plan = this.config.plans.find(({ price }) => price === invoice.price);
      return {
        invoiceId: invoice.id,
        createdAt: dateOf(invoice.createdTimestamp),
        periodFrom: dateOf(invoice.periodFrom),
        periodUntil: dateOf(invoice.periodUntil),
        planId: plan?.id ?? '',
        planName: plan?.name ?? invoice.description,
        metricLimit: plan?.metricLimit ?? 0,
        amount: invoice.amount,
        currency: invoice.currency,
        status: invoice.status,
        invoiceUrl: invoice.url,
      };
    });
  }

  /** An organisation with two paid plans gets the larger one. */
  private choose(
    subscriptions: readonly ProviderSubscription[],
  ): { subscription: ProviderSubscription; plan?: OfferedPlan } | undefined {
    const known = subscriptions.flatMap((subscription) => {
      const plan = this.config.plans.find(({ price }) => subscription.prices.includes(price));
      return plan ? [{ subscription, plan }] : [];
    });
    known.sort((a, b) => b.plan.metricLimit - a.plan.metricLimit);
    const [unknown] = subscriptions;
    return known[0] ?? (unknown && { subscription: unknown });
  }
}

function planOnly({ id, name, metricLimit, amount, currency, interval }: Plan): Plan {
  return { id, name, metricLimit, amount, currency, interval };
}

function moment(timestamp: number | null): Date | null {
  return timestamp === null ? null : dateOf(timestamp);
}
