import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../org/org.module.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

/** Reading the audit trail. Writing it is AuditTrailModule's. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity]), OrgModule],
  controllers: [AuditController],
  providers: [AuditService, AuditRepository],
})
export class AuditModule {}
