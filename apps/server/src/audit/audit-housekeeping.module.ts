import { Module } from '@nestjs/common';
import { AuditHousekeeping } from './audit-housekeeping.service.js';
import { AuditTrailModule } from './audit-trail.module.js';

/** Drops old entries, for the role `detect`. */
@Module({ imports: [AuditTrailModule], providers: [AuditHousekeeping] })
export class AuditHousekeepingModule {}
