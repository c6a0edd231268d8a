import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { AdminAlertNoticesService } from './admin-alert-notices.service.js';
import { type AdminAlertStep, stepOf } from './admin-alert-step.js';
import { type AdminAlertEntity } from './admin-alert.entity.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { type AdminAlertId, type AdminCondition } from './admin-alert.types.js';

/** A report about an admin alert from an external program. */
export interface ExternalReport {
  isRaised: boolean;
  message: string;
  metrics: readonly string[];
}

/** Brings an admin alert to the state of its condition, with the resulting notice in the same transaction. */
@Injectable()
export class AdminAlertTransitionsService {
  constructor(
    private readonly alerts: AdminAlertRepository,
    private readonly notices: AdminAlertNoticesService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @param condition null: there is none at the moment, except in external reports */
  async follow(orgId: number, typeId: AdminAlertId, condition: AdminCondition | null): Promise<void> {
    await this.take(orgId, typeId, (row) =>
      row.isFromOutside ? {} : { ...conditionFields(condition), since: condition?.since ?? null },
    );
  }

  /** An external report counts immediately. Answers whether a notice was sent. */
  async followOutside(orgId: number, typeId: AdminAlertId, report: ExternalReport): Promise<boolean> {
    return this.take(orgId, typeId, (row, now) => {
      const { isRaised, message, metrics } = report;
      if (!isRaised) return { isFromOutside: false, since: null };
      const affected = { affectedCount: metrics.length, affectedMetrics: [...metrics] };
      return { isFromOutside: true, message, ...affected, since: row.since ?? now };
    });
  }

  /** Answers whether a notice went out. */
  private async take(
    orgId: number,
    typeId: AdminAlertId,
    changeOf: (row: AdminAlertEntity, now: number) => Partial<AdminAlertEntity>,
  ): Promise<boolean> {
    const now = this.clock.now();
    return this.transactions.run(async (tx) => {
      const before = await this.alerts.lock(orgId, typeId, tx);
      const { since = before.since, ...changes } = changeOf(before, now);
      const changed = Object.assign({}, before, changes);
      // A notice that no recipient got holds none back.
      const isUndelivered = before.lastNotifiedAt !== null && (await this.notices.isUndelivered(orgId, typeId, tx));
      const lastNotifiedAt = isUndelivered ? null : before.lastNotifiedAt;
      const step: AdminAlertStep = stepOf(
        Object.assign({}, before, { lastNotifiedAt }),
        changed,
        since,
        now,
        changed.isFromOutside,
      );
      const after = Object.assign(changed, step.status);
      if (!changed.enabled) after.isFromOutside = false;
      const hasRecipient =
        step.notice !== null && (await this.notices.enqueue(after, step.notice, step.status.since ?? before.since, tx));
      if (step.notice !== null && !hasRecipient) after.lastNotifiedAt = lastNotifiedAt;
      await this.alerts.update(orgId, typeId, fieldsOf(after), tx);
      return hasRecipient;
    });
  }
}

/** The text of the condition, kept for the notice of its end. */
function conditionFields(condition: AdminCondition | null): Partial<AdminAlertEntity> {
  if (condition === null) return {};
  const { message, affectedCount, affectedMetrics } = condition;
  return { message, affectedCount, affectedMetrics: [...affectedMetrics] };
}

function fieldsOf({ state, since, isNotified, lastNotifiedAt, isFromOutside, ...row }: AdminAlertEntity) {
  const { message, affectedCount, affectedMetrics } = row;
  return { state, since, isNotified, lastNotifiedAt, isFromOutside, message, affectedCount, affectedMetrics };
}
