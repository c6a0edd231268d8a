import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { isDryRun } from '../../common/database/dry-run.js';
import { type Tx } from '../../common/database/transactions.js';
import { currentRequest } from '../../common/http/request-context.js';
import { AuditTrailRepository } from './audit-trail.repository.js';
import { type AuditAct, type AuditChange } from './audit.types.js';

/** Records who did what. */
@Injectable()
export class AuditTrailService {
  constructor(
    private readonly entries: AuditTrailRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Call it within the transaction of the act, so that there is no act without its entry. Address and request id are
   * those of the current request, null outside of one. A dry run is not an act.
   */
  async record(act: AuditAct, tx?: Tx): Promise<void> {
    if (isDryRun(tx)) return;
    const request = currentRequest.getStore();
    await this.entries.insert(
      act.orgId,
      { ...act, timestamp: this.clock.now(), ip: request?.address ?? null, requestId: request?.requestId ?? null },
      tx,
    );
  }

  /**
   * The changes of an earlier act, if its entry is still stored; null if there was none. This makes a call that
   * permanently removes something repeatable.
   */
  findChanges(
    orgId: number,
    action: string,
    object: { id: string } | { name: string },
  ): Promise<readonly AuditChange[] | null> {
    return this.entries.findChanges(orgId, action, object);
  }
}
