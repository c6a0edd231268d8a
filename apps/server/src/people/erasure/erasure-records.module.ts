import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import { OrgErasureService } from './org-erasure.service.js';

/**
 * Marks organisations as deleted: for the API and the command line, which open no series store. ErasureModule erases
 * their data.
 */
@Module({
  imports: [AuditModule, OrgModule, UserModule],
  providers: [OrgErasureService],
  exports: [OrgErasureService],
})
export class ErasureRecordsModule {}
