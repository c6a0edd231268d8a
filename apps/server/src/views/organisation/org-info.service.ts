import { Injectable } from '@nestjs/common';
import { PlanDirectoryService } from '../../people/billing/plan-directory.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { UserService } from '../../people/user/user.service.js';
import { type OrgInfoDto } from './dto/org-answers.dto.js';
import { OrganisationBlockService } from '../../people/organisation-block/organisation-block.service.js';

@Injectable()
export class OrgInfoService {
  constructor(
    private readonly blocks: OrganisationBlockService,
    private readonly users: UserService,
    private readonly plans: PlanDirectoryService,
  ) {}

  async getInfo(caller: KnownCaller): Promise<OrgInfoDto> {
    const [block, plan, usersCount] = await Promise.all([
      this.blocks.getBlock(caller),
      this.plans.getPlan(caller.org.id),
      this.users.count(caller.org.id),
    ]);
    return Object.assign(block, { plan, users_count: usersCount });
  }
}
