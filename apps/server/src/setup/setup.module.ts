import { Module } from '@nestjs/common';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { OrgModule } from '../org/org.module.js';
import { TokenModule } from '../token/token.module.js';
import { UserModule } from '../user/user.module.js';
import { DemoSwitch } from './demo-switch.service.js';
import { FirstOrganisationModule } from './first-organisation.module.js';
import { FirstStartService } from './first-start.service.js';

@Module({
  imports: [AuditTrailModule, FirstOrganisationModule, OrgModule, UserModule, TokenModule],
  providers: [DemoSwitch, FirstStartService],
  exports: [DemoSwitch, FirstStartService],
})
export class SetupModule {}
