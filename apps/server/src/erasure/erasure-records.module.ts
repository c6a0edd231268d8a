import { Module } from '@nestjs/common';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import { OrgErasure } from './org-erasure.service.js';

/** Deleting organisations, for every area that has a reason to. The work of erasing them is ErasureModule's. */
@Module({
  imports: [AuditTrailModule, OrgModule, UserModule],
  providers: [OrgErasure],
  exports: [OrgErasure],
})
export class ErasureRecordsModule {}
