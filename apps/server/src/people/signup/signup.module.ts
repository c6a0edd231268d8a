import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { UserModule } from '../user/user.module.js';
import { JoiningService } from './joining.service.js';
import { SelfServeOrganisationsService } from './self-serve-organisations.service.js';
import { SignupController } from './signup.controller.js';
import { SignupService } from './signup.service.js';
import { VerificationLinksService } from './verification-links.service.js';

/** Sign-up: people create organisations, and invited people join by a mailed link. */
@Module({
  imports: [AuditModule, BillingModule, EventModule, MailModule, OrgModule, SessionModule, UserModule],
  controllers: [SignupController],
  providers: [JoiningService, SelfServeOrganisationsService, SignupService, VerificationLinksService],
})
export class SignupModule {}
