import { Injectable, Logger } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type AuditActor } from '../../platform/audit/audit.types.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { DeletedOrgsService } from '../org/deleted-orgs.service.js';
import { OrgService } from '../org/org.service.js';
import { UserService } from '../user/user.service.js';

/** Deletes organisations: they are inaccessible immediately, and OrgErasureWorkerService erases them. */
@Injectable()
export class OrgErasureService {
  private readonly logger = new Logger(OrgErasureService.name);

  constructor(
    private readonly orgs: OrgService,
    private readonly users: UserService,
    private readonly audit: AuditTrailService,
    private readonly transactions: Transactions,
    private readonly deleted: DeletedOrgsService,
  ) {}

  /**
   * Afterwards no session and no token of the organisation is accepted (other processes stop accepting tokens within 5
   * s), and the addresses of its users are free. This cannot be undone.
   * @param check a condition in the same transaction; it throws if it does not hold
   * @throws OrgNotFoundError
   */
  async begin(orgId: number, actor: AuditActor, check?: (tx: Tx) => Promise<void>): Promise<void> {
    await this.transactions.run(async (tx) => {
      await check?.(tx);
      const { name } = await this.orgs.getById(orgId, tx);
      await this.audit.record(
        { orgId, actor, action: 'org.delete', object: { type: 'org', id: String(orgId), name } },
        tx,
      );
      await this.orgs.markDeleted(orgId, tx);
      await this.users.disableAll(orgId, tx);
    });
    this.deleted.record(orgId);
    // The audit entry is erased with the rest; only this line remains for the operator.
    this.logger.log(`Organisation ${String(orgId)} is being deleted with all its data, by ${describe(actor)}`);
  }
}

function describe({ type, userId, tokenRef }: AuditActor): string {
  return [type, userId ?? tokenRef].filter((part) => part !== undefined).join(' ');
}
