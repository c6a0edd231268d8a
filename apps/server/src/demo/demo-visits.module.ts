import { Module } from '@nestjs/common';
import { OrgModule } from '../org/org.module.js';
import { SessionModule } from '../session/session.module.js';
import { DemoHousekeeping } from './demo-housekeeping.service.js';
import { DemoOrgsModule } from './demo-orgs.module.js';
import { DemoSignupController } from './demo-signup.controller.js';
import { DemoVisits } from './demo-visits.service.js';

/** The way in for visitors. Filling demo organisations is DemoModule's. */
@Module({
  imports: [DemoOrgsModule, OrgModule, SessionModule],
  controllers: [DemoSignupController],
  providers: [DemoHousekeeping, DemoVisits],
})
export class DemoVisitsModule {}
