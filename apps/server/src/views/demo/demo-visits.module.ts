import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { SessionModule } from '../../people/session/session.module.js';
import { SetupModule } from '../../people/setup/setup.module.js';
import { DemoOrgEntity, DemoVisitorEntity } from './demo.entity.js';
import { DemoOrgsService } from './demo-orgs.service.js';
import { DemoSignupController } from './demo-signup.controller.js';
import { DemoVisitorsService, DemoVisitsService } from './demo-visits.service.js';
import { DemoRepository } from './demo.repository.js';

/**
 * Lets visitors enter a demo: for the role `api`, which does not create the data of demos (DemoModule, role `ingest`).
 */
@Module({
  imports: [TypeOrmModule.forFeature([DemoOrgEntity, DemoVisitorEntity]), OrgModule, SessionModule, SetupModule],
  controllers: [DemoSignupController],
  providers: [DemoOrgsService, DemoRepository, DemoVisitorsService, DemoVisitsService],
  exports: [DemoOrgsService, DemoRepository, SetupModule],
})
export class DemoVisitsModule {}
