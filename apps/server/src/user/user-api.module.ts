import { Module } from '@nestjs/common';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { ErasureRecordsModule } from '../erasure/erasure-records.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { MailModule } from '../mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { AccountLinksModule } from './account-links.module.js';
import { AccountRemoval } from './account-removal.service.js';
import { Administrators } from './administrators.service.js';
import { Invitations } from './invitations.service.js';
import { MailedAddresses } from './mailed-addresses.service.js';
import { OwnAccountController } from './own-account.controller.js';
import { OwnAccount } from './own-account.service.js';
import { UserAdministrationController } from './user-administration.controller.js';
import { UserAdministration } from './user-administration.service.js';
import { UserModule } from './user.module.js';

/** The calls about users. Users themselves are UserModule. */
@Module({
  imports: [
    AccountLinksModule,
    AuditTrailModule,
    ErasureRecordsModule,
    EventRecordingModule,
    MailModule,
    OrgModule,
    SessionModule,
    UserModule,
  ],
  controllers: [UserAdministrationController, OwnAccountController],
  providers: [AccountRemoval, Administrators, Invitations, MailedAddresses, OwnAccount, UserAdministration],
})
export class UserApiModule {}
