import { Module } from '@nestjs/common';
import { UserModule } from '../user/user.module.js';
import { OrgInfoService } from './org-info.service.js';
import { OrgSummaryRepository } from './org-summary.repository.js';
import { OrgSummaryService } from './org-summary.service.js';
import { OrgController } from './org.controller.js';
import { OrgModule } from './org.module.js';
import { OrganisationBlockModule } from './organisation-block.module.js';

/** The calls about the organisation. */
@Module({
  imports: [OrgModule, OrganisationBlockModule, UserModule],
  controllers: [OrgController],
  providers: [OrgInfoService, OrgSummaryService, OrgSummaryRepository],
})
export class OrgApiModule {}
