import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditChange, SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { type Tx } from '../../common/database/transactions.js';
import { date } from '../../common/display/display.js';
import { secondsOf } from '../../common/time.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { type OrgEvent } from '../../platform/event/event.types.js';
import { OrgService } from '../org/org.service.js';
import { type BillingAccountEntity } from './billing.entity.js';
import { type BillingState } from './billing-account.repository.js';
import { BillingConfig } from './billing.config.js';

/** The parts of an account whose changes are reported as events. */
type Terms = Pick<BillingState, 'plan' | 'cancelsAt'>;

/** Applies the limit of the paid plan to organisations. */
@Injectable()
export class PlanChangesService {
  constructor(
    private readonly config: BillingConfig,
    private readonly orgs: OrgService,
    private readonly audit: AuditTrailService,
  ) {}

  /**
   * Sets the metric limit and records the changes between two states of an account.
   * @returns events to record; none if plan and end are unchanged
   */
  async follow(before: BillingAccountEntity, after: BillingState, tx: Tx): Promise<OrgEvent[]> {
    const changes = changesBetween(termsOf(before), termsOf(after));
    if (changes.length === 0) return [];
    const { orgId } = before;
    const org = await this.orgs.find(orgId, tx);
    // Deleted in the meantime: there is no one to notify.
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
  return until === null
    ? `The plan ${plan.name} continues.`
    : `The plan ${plan.name} ends on ${date(until, timezone)}.`;
}

function seconds(time: Date | null): number | null {
  return time === null ? null : secondsOf(time);
}
