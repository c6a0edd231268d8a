import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditTrailRepository } from './audit-trail.repository.js';
import { AuditTrail } from './audit-trail.service.js';

/** The writing side, for every area where people change something; the API is AuditModule. */
@Module({
  imports: [TypeOrmModule.forFeature([AuditEntryEntity])],
  providers: [AuditTrail, AuditTrailRepository],
  exports: [AuditTrail, AuditTrailRepository],
})
export class AuditTrailModule {}
