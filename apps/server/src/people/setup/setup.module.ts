import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { OrgModule } from '../org/org.module.js';
import { TokenModule } from '../token/token.module.js';
import { UserModule } from '../user/user.module.js';
import { DemoSwitchModule } from './demo-switch.module.js';
import { FirstStartService } from './first-start.service.js';
import { InitialOrganisationService } from './initial-organisation.service.js';

/** The initial setup of an installation: organisation, administrator, token, and whether there is a demo. */
@Module({
  imports: [AuditModule, DemoSwitchModule, OrgModule, UserModule, TokenModule],
  providers: [FirstStartService, InitialOrganisationService],
  exports: [DemoSwitchModule, FirstStartService],
})
export class SetupModule {}
