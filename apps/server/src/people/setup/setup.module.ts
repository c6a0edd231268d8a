import { Module } from '@nestjs/common';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { OrgModule } from '../org/org.module.js';
import { SignupModeModule } from '../signup/signup-mode.module.js';
import { TokenModule } from '../token/token.module.js';
import { UserModule } from '../user/user.module.js';
import { AdministratorSettings } from './administrator-settings.service.js';
import { DemoSwitch } from './demo-switch.service.js';
import { FirstStartService } from './first-start.service.js';
import { InitialOrganisation } from './initial-organisation.service.js';

/** The first start of an installation: organisation, administrator, token, and whether there is a demo. */
@Module({
  imports: [AuditModule, OrgModule, SignupModeModule, UserModule, TokenModule],
  providers: [AdministratorSettings, DemoSwitch, FirstStartService, InitialOrganisation],
  exports: [DemoSwitch, FirstStartService],
})
export class SetupModule {}
