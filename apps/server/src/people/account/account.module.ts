import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ErasureRecordsModule } from '../erasure/erasure-records.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { AccountRemoval } from './account-removal.service.js';
import { EmailConfirmation } from './email-confirmation.service.js';
import { EmailReplacement } from './email-replacement.service.js';
import { Invitations } from './invitations.service.js';
import { MailedAddressesModule } from './mailed-addresses.module.js';
import { OrgOperations } from './org-operations.service.js';
import { OwnAccountController } from './own-account.controller.js';
import { OwnAccount } from './own-account.service.js';
import { UserActs } from './user-acts.service.js';
import { UserAdministrationController } from './user-administration.controller.js';
import { UserAdministration } from './user-administration.service.js';
import { UserListing } from './user-listing.service.js';
import { UserLockout } from './user-lockout.service.js';
import { UserModule } from '../user/user.module.js';
import { UserOperations } from './user-operations.service.js';

/** What people do with their own account, administrators with those of others, and operators with all. */
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
    AccountRemoval,
    EmailConfirmation,
    EmailReplacement,
    Invitations,
    OrgOperations,
    OwnAccount,
    UserActs,
    UserAdministration,
    UserListing,
    UserLockout,
    UserOperations,
  ],
  exports: [OrgOperations, UserOperations],
})
export class AccountModule {}
