import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { dateOf } from '../../common/time.js';
import { type BillingAccountEntity } from './billing.entity.js';
import { type BillingState } from './billing-account.repository.js';
import { BillingConfig } from './billing.config.js';
import { type ProviderInvoice, type ProviderSubscription } from './billing.types.js';
import { type OfferedPlan, type Plan } from './plan.types.js';

/** Translates subscriptions and invoices of the payment provider into their stored form. */
@Injectable()
export class ProviderAnswersService {
  private readonly logger = new Logger(ProviderAnswersService.name);

  constructor(
    private readonly config: BillingConfig,
    private readonly clock: Clock,
  ) {}

  /** The state of an account with these subscriptions. If a price belongs to no plan, the account keeps its plan. */
  stateOf(account: BillingAccountEntity, subscriptions: readonly ProviderSubscription[]): BillingState {
    const checkedAt = dateOf(this.clock.now());
    const chosen = this.choose(subscriptions);
    if (!chosen) return { subscriptionId: null, plan: null, renewsAt: null, cancelsAt: null, checkedAt };
    const { subscription, plan } = chosen;
    if (!plan) {
      const prices = subscription.prices.join(', ');
      this.logger.warn(
        `Organisation ${String(account.orgId)} pays for ${prices}, which is no plan of PLUMBLINE_PLANS; its limit stays`,
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
  recordsOf(invoices: readonly ProviderInvoice[]) {
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
