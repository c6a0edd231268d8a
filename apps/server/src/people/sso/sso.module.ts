import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { UserModule } from '../user/user.module.js';
import { OidcProvider } from './oidc-provider.service.js';
import { SsoAccounts } from './sso-accounts.service.js';
import { SsoAttempts } from './sso-attempts.service.js';
import { SsoEntry } from './sso-entry.service.js';
import { SsoIdentityEntity, SsoLoginEntity } from './sso.entity.js';
import { SsoController } from './sso.controller.js';
import { SsoRepository } from './sso.repository.js';
import { SingleSignOn } from './sso.service.js';
import { SsoStrategy } from './sso.strategy.js';

/** Login by an OpenID Connect provider, where one is configured. */
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
  providers: [SingleSignOn, SsoStrategy, OidcProvider, SsoAccounts, SsoAttempts, SsoEntry, SsoRepository],
})
export class SsoModule {}
