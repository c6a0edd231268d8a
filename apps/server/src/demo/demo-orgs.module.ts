import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../org/org.module.js';
import { SetupModule } from '../setup/setup.module.js';
import { DemoOrgEntity } from './demo-org.entity.js';
import { DemoOrgs } from './demo-orgs.service.js';
import { DemoVisitorEntity } from './demo-visitor.entity.js';
import { DemoRepository } from './demo.repository.js';

/** The organisations that visitors may look at. */
@Module({
  imports: [TypeOrmModule.forFeature([DemoOrgEntity, DemoVisitorEntity]), OrgModule, SetupModule],
  providers: [DemoOrgs, DemoRepository],
  exports: [DemoOrgs, DemoRepository, SetupModule],
})
export class DemoOrgsModule {}
