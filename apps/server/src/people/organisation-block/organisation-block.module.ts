import { Module } from '@nestjs/common';
import { UserModule } from '../user/user.module.js';
import { OrgModule } from '../org/org.module.js';
import { OrganisationBlockService } from './organisation-block.service.js';

/** The organisation with its people and settings, in the form that its caller may see. */
@Module({
  imports: [OrgModule, UserModule],
  providers: [OrganisationBlockService],
  exports: [OrganisationBlockService],
})
export class OrganisationBlockModule {}
