import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditTrailRepository } from './audit-trail.repository.js';
import { AuditTrailService } from './audit-trail.service.js';

/** Records administrative acts, for every area in which people change something. AuditListModule reads them. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity])],
  providers: [AuditTrailService, AuditTrailRepository],
  exports: [AuditTrailService],
})
export class AuditModule {}
