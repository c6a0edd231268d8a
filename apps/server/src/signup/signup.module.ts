import { Module } from '@nestjs/common';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { PlanDirectoryModule } from '../billing/plan-directory.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { MailModule } from '../mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { FirstOrganisationModule } from '../setup/first-organisation.module.js';
import { AccountLinksModule } from '../user/account-links.module.js';
import { UserModule } from '../user/user.module.js';
import { SignupController } from './signup.controller.js';
import { SignupService } from './signup.service.js';

/** Organisations that people make for themselves, and how whoever was mailed a link joins. */
@Module({
  imports: [
    AccountLinksModule,
    AuditTrailModule,
    EventRecordingModule,
    FirstOrganisationModule,
    MailModule,
    OrgModule,
    PlanDirectoryModule,
    SessionModule,
    UserModule,
  ],
  controllers: [SignupController],
  providers: [SignupService],
})
export class SignupModule {}
