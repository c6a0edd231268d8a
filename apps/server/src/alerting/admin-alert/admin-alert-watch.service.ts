import { Injectable } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { AdminAlertTransitionsService } from './admin-alert-transitions.service.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { type AdminAlertId, type AdminCondition } from './admin-alert.types.js';
import { AdminConditionsService } from './admin-conditions.service.js';
import { OperatorAlertsService } from './operator-alerts.service.js';

/** First key of its advisory lock. */
const LOCK_SPACE = DATABASE_LOCKS.adminAlerts.number;
const EVERY_MS = 30_000;

/** Checks every half minute, in one process of the installation, for problems, and raises and ends admin alerts. */
@Injectable()
export class AdminAlertWatchService extends RecurringWork {
  constructor(
    private readonly conditions: AdminConditionsService,
    private readonly alerts: AdminAlertRepository,
    private readonly transitions: AdminAlertTransitionsService,
    private readonly operator: OperatorAlertsService,
    private readonly locks: AdvisoryLocks,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Admin alerts could not be brought up to date', role: 'notify' });
  }

  /** Returns whether this process did it; another one may be doing it. */
  run(): Promise<boolean> {
    return this.locks.runAlone(LOCK_SPACE, 0, async () => {
      const found = await this.conditions.findConditions();
      const toFollow = new Map<string, [orgId: number, id: AdminAlertId, condition: AdminCondition | null]>();
      for (const { orgId, typeId } of await this.alerts.listActiveOfAll()) {
        toFollow.set(`${String(orgId)} ${String(typeId)}`, [orgId, typeId, null]);
      }
      for (const [orgId, conditions] of found) {
        for (const [id, condition] of conditions)
          toFollow.set(`${String(orgId)} ${String(id)}`, [orgId, id, condition]);
      }
      const steps = [
        ...[...toFollow.values()].map((one) => () => this.transitions.follow(...one)),
        () => this.operator.run(),
      ];
      await this.forEach(steps, (step) => step());
    });
  }
}
