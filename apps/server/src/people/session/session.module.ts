import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import { AccountAccess } from './account-access.service.js';
import { AfterAnswer } from './after-answer.service.js';
import { KnownClientEntity, SessionEntity } from './session.entity.js';
import { KnownClientsService } from './known-clients.service.js';
import { LoginCodeSending } from './login-code-sending.service.js';
import { LoginCodeValidation } from './login-code-validation.service.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginMails } from './login-mails.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { OldPasswordCheck } from './old-password-check.service.js';
import { OperatorPassword } from './operator-password.service.js';
import { OwnSessionService } from './own-session.service.js';
import { PasswordActs } from './password-acts.service.js';
import { PasswordChange } from './password-change.service.js';
import { PasswordResetLinks } from './password-reset-links.service.js';
import { PasswordReset } from './password-reset.service.js';
import { PendingLogins } from './pending-logins.service.js';
import { SessionEntry } from './session-entry.service.js';
import { SessionOverview } from './session-overview.service.js';
import { SessionRenewal } from './session-renewal.service.js';
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
    AccountAccess,
    SessionRepository,
    SessionService,
    KnownClientsService,
    LoginLimiter,
    PendingLogins,
    LoginCodeSending,
    LoginCodeValidation,
    LoginMails,
    PasswordResetLinks,
    PasswordReset,
    PasswordActs,
    OldPasswordCheck,
    SessionRenewal,
    PasswordChange,
    OperatorPassword,
    AfterAnswer,
    LoginService,
    OwnSessionService,
    SessionOverview,
    SessionEntry,
  ],
  exports: [AccountAccess, LoginService, OperatorPassword, SessionEntry, SessionService],
})
export class SessionModule {}
