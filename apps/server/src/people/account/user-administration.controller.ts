import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { IdParam } from '../../common/validation/id-param.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { AccountRemovalService } from './account-removal.service.js';
import { ChangeUserParams, InviteUserParams, ListUsersParams } from './dto/user-administration.params.js';
import { InvitedUserDto, RemovedUserDto, UsersDto } from './dto/user-answers.dto.js';
import { UserAdministrationService, UserListingService } from './user-administration.service.js';

@ApiTags('org')
@Controller('org/users')
export class UserAdministrationController {
  constructor(
    private readonly users: UserAdministrationService,
    private readonly listing: UserListingService,
    private readonly removal: AccountRemovalService,
  ) {}

  @Get()
  @RequirePermissions(Permission.Read)
  @ApiOperation({
    summary: 'List the users of the organisation',
    description:
      'Users page by page, also those who are invited or disabled. Contact data of others is shown to ' +
      'administrators only.',
  })
  @ApiEnvelope(UsersDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListUsersParams): Promise<UsersDto> {
    return this.listing.list(caller, params);
  }

  @Post()
  @RequirePermissions(Permission.Admin)
  @Throws('email_taken', 'limit_reached')
  @ApiOperation({
    summary: 'Invite a user by mail',
    description:
      'Mails a link with which the person sets a password; it is valid for seven days. If no mail can be sent, ' +
      'the answer contains the link as `invite_url`.',
  })
  @ApiEnvelope(InvitedUserDto)
  invite(@CurrentCaller() caller: KnownCaller, @Params() params: InviteUserParams): Promise<InvitedUserDto> {
    return this.users.invite(caller, params);
  }

  @Put(':user_id')
  @RequirePermissions(Permission.Admin)
  @Throws('email_taken', 'last_admin', 'state_conflict')
  @ApiOperation({
    summary: 'Change a user',
    description:
      'Name, administrator or not, enabled or disabled, or a new invitation. A user who is disabled is logged ' +
      'out immediately.',
  })
  @ApiEnvelope(InvitedUserDto)
  change(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('user_id') userId: number,
    @Params() params: ChangeUserParams,
  ): Promise<InvitedUserDto> {
    return this.users.change(caller, userId, params);
  }

  @Delete(':user_id')
  @RequirePermissions(Permission.Admin)
  @Throws('last_admin', 'state_conflict')
  @ApiOperation({
    summary: 'Remove another user',
    description:
      'Ends the sessions of the user and takes the account out of all lists of recipients. What the user ' +
      'created stays.',
  })
  @ApiEnvelope(RemovedUserDto)
  remove(
    @CurrentCaller() caller: KnownCaller,
    @IdParam('user_id') userId: number,
    @Params() _params: NoParams,
  ): Promise<RemovedUserDto> {
    return this.removal.removeOther(caller, userId);
  }
}
