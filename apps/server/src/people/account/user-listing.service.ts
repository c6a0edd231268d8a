import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { pageOf } from '../../common/paging/paging.js';
import { OrgService } from '../org/org.service.js';
import { toUserDto, viewerOf } from '../user/user.functions.js';
import { UserService } from '../user/user.service.js';
import { USER_STATES } from '../user/user.types.js';
import { type ListUsersParams } from './dto/user-administration.params.js';
import { type UsersDto } from './dto/user-answers.dto.js';

/** Lists the users of an organisation that the caller may see. */
@Injectable()
export class UserListingService {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
  ) {}

  async list(caller: KnownCaller, { state = USER_STATES, ...page }: ListUsersParams): Promise<UsersDto> {
    const orgId = caller.org.id;
    const viewer = viewerOf(caller);
    const org = this.orgs.toDto(await this.orgs.getById(orgId));
    if (viewer.demo && viewer.userId !== null) {
      const own = [await this.users.getById(orgId, viewer.userId)].filter((user) => state.includes(user.state));
      const shown = own.slice(page.offset, page.offset + page.limit);
      return { users: shown.map((user) => toUserDto(user, org, viewer)), ...pageOf(page, own.length) };
    }
    const [users, total] = await this.users.list(orgId, state, page);
    return { users: users.map((user) => toUserDto(user, org, viewer)), ...pageOf(page, total) };
  }
}
