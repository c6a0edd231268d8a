import { Module } from '@nestjs/common';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { AccountLinksModule } from './account-links.module.js';
import { Administrators } from './administrators.service.js';
import { UserOperations } from './user-operations.service.js';
import { UserModule } from './user.module.js';

/** Users as operators handle them, for the command line. */
@Module({
  imports: [AccountLinksModule, AuditTrailModule, EventRecordingModule, OrgModule, SessionModule, UserModule],
  providers: [Administrators, UserOperations],
  exports: [UserOperations],
})
export class UserOperationsModule {}
