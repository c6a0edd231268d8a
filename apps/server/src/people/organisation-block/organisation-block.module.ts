import { Module } from '@nestjs/common';
import { UserModule } from '../user/user.module.js';
import { OrgModule } from '../org/org.module.js';
import { OrganisationBlockService } from './organisation-block.service.js';

/** The organisation together with its people and settings, as its caller may see it. */
@Module({
  imports: [OrgModule, UserModule],
  providers: [OrganisationBlockService],
  exports: [OrganisationBlockService],
})
export class OrganisationBlockModule {}
