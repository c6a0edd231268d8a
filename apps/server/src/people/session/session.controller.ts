import { Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { AnyCaller, CurrentUser, Public, SessionOnly, SideEffect } from '../../common/auth/access.decorators.js';
import { type Caller, type UserCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { type JudgedParams } from '../../common/validation/judged-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { UpdatePasswordParams } from './dto/login.params.js';
import { DoneDto, LogoutDto, OwnSessionsDto, OwnUserDto, UserPingDto } from './dto/session-answers.dto.js';
import { CurrentClient } from './login-client.decorator.js';
import { OwnSessionService } from './own-session.service.js';
import { PasswordChangeService } from './password-change.service.js';
import { SessionOverviewService } from './session-overview.service.js';
import { type LoginClient } from './session.types.js';

/** Calls about the caller's session. */
@ApiTags('user')
@Controller('user')
export class SessionController {
  constructor(
    private readonly own: OwnSessionService,
    private readonly passwords: PasswordChangeService,
    private readonly overview: SessionOverviewService,
  ) {}

  @Fetch('info')
  @SessionOnly({ demo: true })
  @ApiOperation({
    summary: "Get the caller's user record",
    description:
      'The user of the session with the organisation, notifications and onboarding flags. Tokens belong to no ' +
      'user and are refused.',
  })
  @ApiEnvelope(OwnUserDto)
  info(@CurrentUser() user: UserCaller, @Params() _params: NoParams): Promise<OwnUserDto> {
    return this.own.info(user);
  }

  @Fetch('ping')
  @Public()
  @ApiOperation({
    summary: 'Check that the service answers, with the session if there is one',
    description:
      'Answers `pong` with the time of the server; `session` is null without a valid session. Never refuses a ' +
      'caller.',
  })
  @ApiEnvelope(UserPingDto)
  ping(@AnyCaller() caller: Caller, @Params() _params: NoParams): Promise<UserPingDto> {
    return this.own.ping(caller);
  }

  @Fetch('sessions')
  @SessionOnly()
  @ApiOperation({
    summary: "List the caller's sessions",
    description: 'Where the user is logged in: network address, client, and the last use of each session.',
  })
  @ApiEnvelope(OwnSessionsDto)
  listSessions(@CurrentUser() user: UserCaller, @Params() _params: NoParams): Promise<OwnSessionsDto> {
    return this.overview.list(user);
  }

  @Delete('sessions/:ref')
  @SessionOnly()
  @ApiOperation({
    summary: 'End a session of the caller',
    description: 'The session is named by its reference; `others` ends all but the one of this call.',
  })
  @ApiParam({ name: 'ref', type: String, description: '`ref` of a session, or `others`.', example: 'others' })
  @ApiEnvelope(DoneDto)
  endSession(
    @CurrentUser() user: UserCaller,
    @Param('ref') ref: string,
    @Params() _params: NoParams,
    @CurrentClient() client: LoginClient,
  ): Promise<DoneDto> {
    return this.overview.end(user, ref, client);
  }

  @Get('logout')
  @Public()
  @SideEffect()
  @SupersededBy('/user/logout')
  @ApiOperation({
    summary: 'End the session and clear the cookie (older form)',
    description: 'Does what `POST /user/logout` does, as GET. Kept for older clients.',
  })
  @ApiEnvelope(LogoutDto)
  logoutByGet(@Params() _params: NoParams, @CurrentClient() client: LoginClient): Promise<LogoutDto> {
    return this.own.logout(client);
  }

  @Post('logout')
  @Public()
  @ApiOperation({
    summary: 'End the session and clear the cookie',
    description: 'The id of the session stops working at once. Answers 200 also when no user is logged in.',
  })
  @ApiEnvelope(LogoutDto)
  logout(@Params() _params: NoParams, @CurrentClient() client: LoginClient): Promise<LogoutDto> {
    return this.own.logout(client);
  }

  @Put('password')
  @SessionOnly()
  @Throws('login_failed')
  @ApiOperation({
    summary: "Change the caller's password",
    description: 'Needs the old password. All other sessions end; this one continues under a new id.',
  })
  @ApiEnvelope(DoneDto)
  changePassword(
    @CurrentUser() user: UserCaller,
    @Params(UpdatePasswordParams) params: JudgedParams<UpdatePasswordParams>,
    @CurrentClient() client: LoginClient,
  ): Promise<DoneDto> {
    return this.passwords.change(user, params, client);
  }

  @Post('updatepassword')
  @SessionOnly()
  @SupersededBy('/user/password')
  @Throws('login_failed')
  @ApiOperation({
    summary: "Change the caller's password (older form)",
    description: 'Does what `PUT /user/password` does. Kept for older clients.',
  })
  @ApiEnvelope(DoneDto)
  changePasswordByPost(
    @CurrentUser() user: UserCaller,
    @Params(UpdatePasswordParams) params: JudgedParams<UpdatePasswordParams>,
    @CurrentClient() client: LoginClient,
  ): Promise<DoneDto> {
    return this.passwords.change(user, params, client);
  }
}
