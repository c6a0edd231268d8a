import { Module } from '@nestjs/common';
import { UserModule } from '../user/user.module.js';
import { OrgModule } from '../org/org.module.js';
import { OrganisationBlockService } from './organisation-block.service.js';

/** The organisation together with its users: above both, so that neither needs the other way round. */
@Module({
  imports: [OrgModule, UserModule],
  providers: [OrganisationBlockService],
  exports: [OrganisationBlockService],
})
export class OrganisationBlockModule {}
