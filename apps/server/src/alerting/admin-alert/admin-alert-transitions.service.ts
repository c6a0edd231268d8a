import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { AdminAlertNoticesService } from './admin-alert-notices.service.js';
import { type AdminAlertEntity } from './admin-alert.entity.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import {
  type AdminAlertId,
  type AdminAlertSettings,
  type AdminAlertState,
  type AdminCondition,
} from './admin-alert.types.js';

/** The state of an admin alert. Times in Unix seconds. */
export interface AdminAlertStatus {
  state: AdminAlertState;
  /** When its condition began; null while there is none. */
  since: number | null;
  /** The recipients were notified that it is raised. */
  isNotified: boolean;
  lastNotifiedAt: number | null;
}

export interface AdminAlertStep {
  status: AdminAlertStatus;
  /** The notice that is due. */
  notice: 'opened' | 'recovered' | null;
}

/** A report about an admin alert from an external program. */
export interface ExternalReport {
  isRaised: boolean;
  message: string;
  metrics: readonly string[];
}

/** Updates an admin alert to the state of its condition, with the resulting notice in the same transaction. */
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

  /** An external report counts immediately. Returns whether a notice was queued. */
  async followOutside(orgId: number, typeId: AdminAlertId, report: ExternalReport): Promise<boolean> {
    return this.take(orgId, typeId, (row, now) => {
      const { isRaised, message, metrics } = report;
      if (!isRaised) return { isFromOutside: false, since: null };
      const affected = { affectedCount: metrics.length, affectedMetrics: [...metrics] };
      return { isFromOutside: true, message, ...affected, since: row.since ?? now };
    });
  }

  /** Returns whether a notice was queued. */
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
      // A notice that no recipient got does not delay another one.
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

/**
 * The next step by the current condition. The alert is raised after its condition has held for the waiting time; a
 * notice of it is sent at most once in the expiration time, followed by a notice of the recovery.
 * @param since when the condition began, null if there is none
 * @param isFromOutside an external report: there is no waiting time
 */
export function stepOf(
  before: AdminAlertStatus,
  settings: Pick<AdminAlertSettings, 'enabled' | 'waitSeconds' | 'expirationSeconds'>,
  since: number | null,
  now: number,
  isFromOutside = false,
): AdminAlertStep {
  const { lastNotifiedAt } = before;
  if (!settings.enabled)
    return { status: { state: 'ok', since: null, isNotified: false, lastNotifiedAt }, notice: null };
  if (since === null) {
    const notice = before.isNotified ? 'recovered' : null;
    const notifiedAt = notice === null ? lastNotifiedAt : now;
    return { status: { state: 'ok', since: null, isNotified: false, lastNotifiedAt: notifiedAt }, notice };
  }
  const began = before.since ?? since;
  const isRaised = before.state === 'raised' || isFromOutside || now - began >= settings.waitSeconds;
  if (!isRaised) {
    return { status: { state: 'waiting', since: began, isNotified: false, lastNotifiedAt }, notice: null };
  }
  const shouldNotify =
    !before.isNotified && (lastNotifiedAt === null || now - lastNotifiedAt >= settings.expirationSeconds);
  return {
    status: {
      state: 'raised',
      since: began,
      isNotified: before.isNotified || shouldNotify,
      lastNotifiedAt: shouldNotify ? now : lastNotifiedAt,
    },
    notice: shouldNotify ? 'opened' : null,
  };
}
