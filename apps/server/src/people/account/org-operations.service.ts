import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions.js';
import { changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { OPERATOR_ACTOR } from '../../platform/audit/audit.types.js';
import { OrgErasureService } from '../erasure/org-erasure.service.js';
import { OrgService } from '../org/org.service.js';
import { type Org } from '../org/org.types.js';

/**
 * Operations on organisations for operators, through the command line, with or without a running server. No method
 * checks the caller: it needs access to the database.
 */
@Injectable()
export class OrgOperationsService {
  constructor(
    private readonly orgs: OrgService,
    private readonly erasure: OrgErasureService,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrailService,
  ) {}

  /** Creates an organisation without users; the audit entry is written with it. */
  create({ name, timezone }: Pick<Org, 'name' | 'timezone'>): Promise<Org> {
    return this.transactions.run(async (tx) => {
      const org = await this.orgs.create({ name, timezone }, tx);
      const object = { type: 'org', id: String(org.id), name };
      const changes = changesBetween({}, { name, timezone });
      await this.audit.record({ orgId: org.id, actor: OPERATOR_ACTOR, action: 'org.create', object, changes }, tx);
      return org;
    });
  }

  /** Marks an organisation as deleted; its data is erased afterwards. @throws OrgNotFoundError */
  async delete(orgId: number): Promise<void> {
    await this.erasure.begin(orgId, OPERATOR_ACTOR);
  }
}
