import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import { AccountAccessService } from './account-access.service.js';
import { KnownClientEntity, SessionEntity } from './session.entity.js';
import { LoginCodesService, PendingLoginsService } from './login-codes.service.js';
import { AfterAnswerService, LoginLimiter } from './login-limiter.js';
import { LoginMailsService } from './login-mails.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { OperatorPasswordService } from './operator-password.service.js';
import { OwnSessionService } from './own-session.service.js';
import { PasswordActsService } from './password-acts.service.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordResetLinksService, PasswordResetService } from './password-reset.service.js';
import { KnownClientsService, SessionEntryService } from './session-entry.service.js';
import { SessionOverviewService } from './session-overview.service.js';
import { SessionController } from './session.controller.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';

/** Login, sessions, login codes and forgotten passwords. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SessionEntity, KnownClientEntity]),
    UserModule,
    OrgModule,
    MailModule,
    AuditModule,
  ],
  controllers: [LoginController, SessionController],
  providers: [
    AccountAccessService,
    SessionRepository,
    SessionService,
    KnownClientsService,
    LoginLimiter,
    PendingLoginsService,
    LoginCodesService,
    LoginMailsService,
    PasswordResetLinksService,
    PasswordResetService,
    PasswordActsService,
    PasswordChangeService,
    OperatorPasswordService,
    AfterAnswerService,
    LoginService,
    OwnSessionService,
    SessionOverviewService,
    SessionEntryService,
  ],
  exports: [AccountAccessService, LoginService, OperatorPasswordService, SessionEntryService, SessionService],
})
export class SessionModule {}
