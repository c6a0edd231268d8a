import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../common/auth/caller.js';
import { UserService } from '../user/user.service.js';
import { type OrgInfoDto } from './dto/org-answers.dto.js';
import { OrganisationBlockService } from './organisation-block.service.js';

@Injectable()
export class OrgInfoService {
  constructor(
    private readonly blocks: OrganisationBlockService,
    private readonly users: UserService,
  ) {}

  async of(caller: KnownCaller): Promise<OrgInfoDto> {
    const [block, usersCount] = await Promise.all([this.blocks.of(caller), this.users.count(caller.org.id)]);
    // Nobody has a plan while no payment provider can be connected.
    return Object.assign(block, { plan: null, users_count: usersCount });
  }
}
