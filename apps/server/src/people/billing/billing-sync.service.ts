import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { type AuditChange, changesBetween, SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { Clock } from '../../common/clock.js';
import { type Tx, Transactions } from '../../common/database/transactions.js';
import { date } from '../../common/display/display.js';
import { dateOf, secondsOf } from '../../common/time.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { OrgService } from '../org/org.service.js';
import { type BillingAccountEntity } from './billing-account.entity.js';
import { BillingAccountRepository, type BillingState } from './billing-account.repository.js';
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingRecordRepository } from './billing-record.repository.js';
import { BillingConfig } from './billing.config.js';
import { PaymentProviderError } from './billing.errors.js';
import {
  type ProviderAccount,
  type ProviderEvent,
  type ProviderInvoice,
  type ProviderSubscription,
} from './billing.types.js';
import { PaymentProvider } from './payment-provider.service.js';
import { type OfferedPlan, type Plan } from './plan.types.js';

/** Others who ask at the same time are as good: each writes what is newer than what it found. */
const TRIES = 5;

/** The parts of an account whose changes are reported as events. */
type Terms = Pick<BillingState, 'plan' | 'cancelsAt'>;

/**
 * Brings what is stored to what the payment provider says now. Nothing else changes a plan, so it does not matter which
 * messages of the provider arrive, in which order, how often, and in how many processes at once.
 */
@Injectable()
export class BillingSync {
  private readonly logger = new Logger(BillingSync.name);

  constructor(
    private readonly provider: PaymentProvider,
    private readonly config: BillingConfig,
    private readonly accounts: BillingAccountRepository,
    private readonly records: BillingRecordRepository,
    private readonly applied: BillingEventRepository,
    private readonly orgs: OrgService,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
    private readonly events: EventRecorder,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks the provider about an organisation and writes the answer; `event` is remembered as applied together with it.
   * @returns the account as it is now, null for an organisation that never was at a checkout
   * @throws PaymentProviderError and then nothing is changed
   */
  async refresh(orgId: number, event?: ProviderEvent): Promise<BillingAccountEntity | null> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      // Read before the question is asked: an unchanged revision at the time of writing means that the answer is the newest.
      const found = await this.accounts.find(orgId);
      if (!found?.customerId) return found;
      const answer = await this.provider.accountOf(found.customerId);
      const told = await this.transactions.run((tx) => this.write(found, answer, event, tx));
      if (told === undefined) continue;
      for (const orgEvent of told) this.events.record(orgEvent);
      return this.accounts.find(orgId);
    }
    throw new PaymentProviderError('Too many messages of the payment provider at once; try again soon.');
  }

  /** What to tell; undefined when somebody has written since `found` was read. */
  private async write(
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
      await this.applied.record(orgId, { eventId: event.id, type: event.type, appliedAt: this.now() }, tx);
    }
    return this.follow(account, state, tx);
  }

  private stateOf(account: BillingAccountEntity, subscriptions: readonly ProviderSubscription[]): BillingState {
    const checkedAt = this.now();
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

  /** Who pays for two plans gets the larger one. */
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

  /** Gives the organisation what it pays for and writes down what changed. */
  private async follow(before: BillingAccountEntity, after: BillingState, tx: Tx): Promise<OrgEvent[]> {
    const changes = changesBetween(termsOf(before), termsOf(after));
    if (changes.length === 0) return [];
    const { orgId } = before;
    const org = await this.orgs.find(orgId, tx);
    // Deleted meanwhile: there is no one to notify.
    if (!org) return [];
    const limit = after.plan ? after.plan.metricLimit : (this.config.metricsWithoutPlan ?? null);
    const isOtherPlan = before.plan?.id !== after.plan?.id || before.plan?.metricLimit !== after.plan?.metricLimit;
    const limits: AuditChange[] = [];
    if (isOtherPlan && org.metricLimit !== limit) {
      await this.orgs.setMetricLimit(orgId, limit, tx);
      limits.push({ field: 'metric_limit', before: org.metricLimit, after: limit });
    }
    await this.audit.record(
      {
        orgId,
        actor: SYSTEM_ACTOR,
        action: 'billing.plan_change',
        object: { type: 'org', id: String(orgId), name: org.name },
        changes: [...changes, ...limits],
      },
      tx,
    );
    return [
      {
        orgId,
        type: 'billing_changed',
        level: after.plan ? 'info' : 'warning',
        message: sentence(before, after, limit, org.timezone),
        details: { plan_id: after.plan?.id ?? null, metric_limit: isOtherPlan ? limit : org.metricLimit },
      },
    ];
  }

  private now(): Date {
    return new Date(this.clock.now() * 1000);
  }
}

function termsOf({ plan, cancelsAt }: Terms) {
  return {
    plan: plan?.id ?? null,
    plan_metric_limit: plan?.metricLimit ?? null,
    cancels_timestamp: seconds(cancelsAt),
  };
}

function sentence(before: Terms, after: Terms, limit: number | null, timezone: string): string {
  const metrics = limit === null ? 'without a limit of metrics' : `up to ${String(limit)} metrics`;
  const { plan } = after;
  if (!plan) return `The plan ${before.plan?.name ?? ''} has ended; from now on ${metrics}.`;
  const until = seconds(after.cancelsAt);
  const end = until === null ? '' : ` It ends on ${date(until, timezone)}.`;
  if (before.plan?.id !== plan.id || before.plan.metricLimit !== plan.metricLimit) {
    return `The plan is ${plan.name} now: ${metrics}.${end}`;
  }
  return until === null ? `The plan ${plan.name} goes on.` : `The plan ${plan.name} ends on ${date(until, timezone)}.`;
}

function planOnly({ id, name, metricLimit, amount, currency, interval }: Plan): Plan {
  return { id, name, metricLimit, amount, currency, interval };
}

function moment(timestamp: number | null): Date | null {
  return timestamp === null ? null : dateOf(timestamp);
}

function seconds(time: Date | null): number | null {
  return time === null ? null : secondsOf(time);
}
