import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { UserModule } from '../user/user.module.js';
import { OidcProviderService } from './oidc-provider.service.js';
import { SsoAccountsService } from './sso-accounts.service.js';
import { SsoAttemptsService } from './sso-attempts.service.js';
import { SsoEntryService } from './sso-entry.service.js';
import { SsoIdentityEntity, SsoLoginEntity } from './sso.entity.js';
import { SsoController } from './sso.controller.js';
import { SsoRepository } from './sso.repository.js';
import { SingleSignOnService } from './single-sign-on.service.js';
import { SsoStrategy } from './sso.strategy.js';

/** Login with an OpenID Connect provider, if one is configured. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SsoLoginEntity, SsoIdentityEntity]),
    AuditModule,
    EventModule,
    OrgModule,
    SessionModule,
    UserModule,
  ],
  controllers: [SsoController],
  providers: [
    SingleSignOnService,
    SsoStrategy,
    OidcProviderService,
    SsoAccountsService,
    SsoAttemptsService,
    SsoEntryService,
    SsoRepository,
  ],
})
export class SsoModule {}
