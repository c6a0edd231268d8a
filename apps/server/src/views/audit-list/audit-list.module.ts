import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditEntryEntity } from '../../platform/audit/audit-entry.entity.js';
import { AuditListController } from './audit-list.controller.js';
import { AuditListRepository } from './audit-list.repository.js';
import { AuditListService } from './audit-list.service.js';

/** Lists the audit trail for administrators. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity]), OrgModule],
  controllers: [AuditListController],
  providers: [AuditListService, AuditListRepository],
})
export class AuditListModule {}
