import { Controller, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentUser, Public, SessionOnly } from '../../common/auth/access.decorators.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { CurrentClient } from '../session/login-client.decorator.js';
import { RESET_ADDRESS } from '../session/session-limits.types.js';
import { type LoginClient } from '../session/session.types.js';
import { AccountRemovalService } from './account-removal.service.js';
import { ConfirmEmailParams, DeleteUserParams, UpdateOwnAccountParams } from './dto/own-account.params.js';
import { ConfirmedEmailDto, OwnAccountDto, RemovedUserDto } from './dto/user-answers.dto.js';
import { OwnAccountService } from './own-account.service.js';

/** Calls of users about their own accounts. */
@ApiTags('user')
@Controller('user')
export class OwnAccountController {
  constructor(
    private readonly account: OwnAccountService,
    private readonly removal: AccountRemovalService,
  ) {}

  @Put()
  @SessionOnly({ demo: true })
  @Throws('login_failed', 'email_taken', 'demo_account')
  @ApiOperation({
    summary: "Change the caller's account",
    description:
      'Members that are not sent stay unchanged. A new e-mail address needs the password, and takes effect once it is ' +
      'confirmed by the link that is mailed to it. Demo users may send flags only.',
  })
  @ApiEnvelope(OwnAccountDto)
  update(
    @CurrentUser() user: UserCaller,
    @Params(UpdateOwnAccountParams) params: JudgedParams<UpdateOwnAccountParams>,
    @CurrentClient() client: LoginClient,
  ): Promise<OwnAccountDto> {
    return this.account.update(user, params, client.address);
  }

  @Post('update')
  @SessionOnly({ demo: true })
  @SupersededBy('/user')
  @Throws('login_failed', 'email_taken', 'demo_account')
  @ApiOperation({
    summary: "Change the caller's account (older form)",
    description: 'Does what `PUT /user` does. Kept for older clients.',
  })
  @ApiEnvelope(OwnAccountDto)
  updateByPost(
    @CurrentUser() user: UserCaller,
    @Params(UpdateOwnAccountParams) params: JudgedParams<UpdateOwnAccountParams>,
    @CurrentClient() client: LoginClient,
  ): Promise<OwnAccountDto> {
    return this.account.update(user, params, client.address);
  }

  @Post('confirmemail')
  @Public()
  @RateLimit(RESET_ADDRESS)
  @Throws('verification_failed', 'email_taken', 'expired')
  @ApiOperation({
    summary: 'Confirm a changed e-mail address by the token that was mailed to it',
    description:
      'The address of the account changes to the new one. The token works once and needs no session, so the ' +
      'link can be opened on any device.',
  })
  @ApiEnvelope(ConfirmedEmailDto)
  confirmEmail(@Params() { token }: ConfirmEmailParams): Promise<ConfirmedEmailDto> {
    return this.account.confirmEmail(token);
  }

  @Post('delete')
  @SessionOnly()
  @Throws('login_failed', 'last_admin', 'state_conflict', 'permission_denied', 'not_found')
  @ApiOperation({
    summary: "Remove the caller's account with its password, or, as an administrator, another user",
    description:
      'The user is removed everywhere immediately; what the user created stays. The last administrator can only ' +
      'leave together with the organisation (`delete_org`), which erases all its data within a day.',
  })
  @ApiEnvelope(RemovedUserDto)
  async delete(
    @CurrentUser() user: UserCaller,
    @Params(DeleteUserParams) params: JudgedParams<DeleteUserParams>,
    @CurrentClient() client: LoginClient,
  ): Promise<RemovedUserDto> {
    const answer = await this.removal.delete(user, params, client.address);
    if (answer.user_id === user.userId) client.signOut();
    return answer;
  }
}
