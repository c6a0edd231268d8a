import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ErasureRecordsModule } from '../erasure/erasure-records.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { AccountRemovalService } from './account-removal.service.js';
import { EmailConfirmationService } from './email-confirmation.service.js';
import { MailedAddressesModule } from './mailed-addresses.module.js';
import { OrgOperationsService } from './org-operations.service.js';
import { OwnAccountController } from './own-account.controller.js';
import { OwnAccountService } from './own-account.service.js';
import { UserActsService } from './user-acts.service.js';
import { UserAdministrationController } from './user-administration.controller.js';
import { InvitationsService, UserAdministrationService, UserListingService } from './user-administration.service.js';
import { UserModule } from '../user/user.module.js';
import { UserOperationsService } from './user-operations.service.js';

/** Calls for one's own account; administrators manage members' accounts, operators all accounts. */
@Module({
  imports: [
    AuditModule,
    ErasureRecordsModule,
    EventModule,
    MailedAddressesModule,
    MailModule,
    OrgModule,
    SessionModule,
    UserModule,
  ],
  controllers: [UserAdministrationController, OwnAccountController],
  providers: [
    AccountRemovalService,
    EmailConfirmationService,
    InvitationsService,
    OrgOperationsService,
    OwnAccountService,
    UserActsService,
    UserAdministrationService,
    UserListingService,
    UserOperationsService,
  ],
  exports: [OrgOperationsService, UserOperationsService],
})
export class AccountModule {}
