import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BeginsSession, Public, SideEffect } from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ForgotPasswordParams, LoginParams, ResetPasswordParams, ValidateClientParams } from './dto/login.params.js';
import { DoneDto, LoginDto, ValidatedLoginDto } from './dto/session-answers.dto.js';
import { CurrentClient } from './login-client.decorator.js';
import { LoginCodesService } from './login-codes.service.js';
import { LoginService } from './login.service.js';
import { PasswordResetLinksService, PasswordResetService } from './password-reset.service.js';
import { FORGOT_ADDRESS, RESET_ADDRESS } from './session-limits.types.js';
import { type LoginClient } from './session.types.js';

@ApiTags('login')
@Controller('login')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly codes: LoginCodesService,
    private readonly resetLinks: PasswordResetLinksService,
    private readonly resets: PasswordResetService,
  ) {}

  @Post()
  @Public()
  @BeginsSession()
  @Throws('login_failed', 'not_configured')
  @ApiOperation({
    summary: 'Log in',
    description:
      'Answers a new session, also named in the status block and set as a cookie. A client that is not known ' +
      'yet is asked for a code that was mailed: finish with `POST /login/validateclient`.',
  })
  @ApiEnvelope(LoginDto)
  login(@Params() params: LoginParams, @CurrentClient() client: LoginClient): Promise<LoginDto> {
    return this.logins.login(params, client);
  }

  @Get('validateclient')
  @Public()
  @BeginsSession()
  @SideEffect()
  @SupersededBy('/login/validateclient')
  @Throws('not_authenticated', 'login_failed', 'code_invalid', 'cross_site_refused', 'expired')
  @ApiOperation({
    summary: 'Finish a login with the code that was mailed (older form)',
    description: 'Does what `POST /login/validateclient` does, as GET. Kept for older clients.',
  })
  @ApiEnvelope(ValidatedLoginDto)
  validateByGet(
    @Params() params: ValidateClientParams,
    @CurrentClient() client: LoginClient,
  ): Promise<ValidatedLoginDto> {
    return this.codes.validate(params, client);
  }

  @Post('validateclient')
  @Public()
  @BeginsSession()
  @Throws('not_authenticated', 'login_failed', 'code_invalid', 'cross_site_refused', 'expired')
  @ApiOperation({
    summary: 'Finish a login with the code that was mailed',
    description:
      'Takes the six digits of the mail, with the token of the mailed link or in the client that began the ' +
      'login. Answers a new session and a client id that makes the client known.',
  })
  @ApiEnvelope(ValidatedLoginDto)
  validate(@Params() params: ValidateClientParams, @CurrentClient() client: LoginClient): Promise<ValidatedLoginDto> {
    return this.codes.validate(params, client);
  }

  @Post('forgotpassword')
  @Public()
  @RateLimit(FORGOT_ADDRESS)
  @Throws('not_configured')
  @ApiOperation({
    summary: 'Mail a link for a new password',
    description:
      'The link is valid for an hour and one use. The answer is the same whether or not there is such an ' + 'account.',
  })
  @ApiEnvelope(DoneDto)
  forgotPassword(@Params() params: ForgotPasswordParams): Promise<DoneDto> {
    return this.resetLinks.askForLink(params);
  }

  @Post('resetpassword')
  @Public()
  @RateLimit(RESET_ADDRESS)
  @Throws('expired')
  @ApiOperation({
    summary: 'Set a new password by the token of a mailed link',
    description: 'All sessions end and all clients must give a code again; a notice is mailed. It does not log in.',
  })
  @ApiEnvelope(DoneDto)
  resetPassword(@Params() params: ResetPasswordParams, @CurrentClient() client: LoginClient): Promise<DoneDto> {
    return this.resets.reset(params, client.address);
  }
}
