import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountLinksModule } from '../user/account-links.module.js';
import { UserModule } from '../user/user.module.js';
import { KnownClientEntity } from './known-client.entity.js';
import { KnownClientsService } from './known-clients.service.js';
import { LoginLimiter } from './login-limiter.js';
import { LoginVerifier } from './login-verifier.service.js';
import { LoginController } from './login.controller.js';
import { LoginService } from './login.service.js';
import { OwnSessionService } from './own-session.service.js';
import { SessionHousekeeping } from './session-housekeeping.service.js';
import { SessionEntry } from './session-entry.service.js';
import { SessionController } from './session.controller.js';
import { SessionEntity } from './session.entity.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SessionEntity, KnownClientEntity]), UserModule, AccountLinksModule],
  controllers: [LoginController, SessionController],
  providers: [
    SessionRepository,
    SessionService,
    SessionHousekeeping,
    KnownClientsService,
    LoginLimiter,
    LoginVerifier,
    LoginService,
    OwnSessionService,
    SessionEntry,
  ],
  exports: [LoginVerifier, SessionEntry, SessionService],
})
export class SessionModule {}
