import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { Administrators } from '../user/administrators.service.js';
import { UserModule } from '../user/user.module.js';
import { OidcProvider } from './oidc-provider.service.js';
import { SsoAccounts } from './sso-accounts.service.js';
import { SsoHousekeeping } from './sso-housekeeping.service.js';
import { SsoIdentityEntity } from './sso-identity.entity.js';
import { SsoLoginEntity } from './sso-login.entity.js';
import { SsoController } from './sso.controller.js';
import { SsoRepository } from './sso.repository.js';
import { SingleSignOn } from './sso.service.js';

/** Login by an OpenID Connect provider, where one is configured. */
@Module({
  imports: [
    TypeOrmModule.forFeature([SsoLoginEntity, SsoIdentityEntity]),
    AuditTrailModule,
    EventRecordingModule,
    OrgModule,
    SessionModule,
    UserModule,
  ],
  controllers: [SsoController],
  providers: [SingleSignOn, OidcProvider, SsoAccounts, SsoHousekeeping, SsoRepository, Administrators],
})
export class SsoModule {}
