import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditEntryEntity } from '../../platform/audit/audit-entry.entity.js';
import { AuditListController } from './audit-list.controller.js';
import { AuditListRepository } from './audit-list.repository.js';
import { AuditListService } from './audit-list.service.js';

/** Reading the audit trail. Writing it is AuditModule's. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity]), OrgModule],
  controllers: [AuditListController],
  providers: [AuditListService, AuditListRepository],
})
export class AuditListModule {}
