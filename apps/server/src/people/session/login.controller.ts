import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BeginsSession, Public, SideEffect } from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { SupersededBy } from '../../common/http/answer.decorators.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { Params } from '../../common/validation/params.decorator.js';
import { ForgotPasswordParams, LoginParams, ResetPasswordParams, ValidateClientParams } from './dto/login.params.js';
import { DoneDto, LoginDto, ValidatedLoginDto } from './dto/session-answers.dto.js';
import { CurrentClient } from './login-client.decorator.js';
import { LoginCodes } from './login-codes.service.js';
import { LoginService } from './login.service.js';
import { PasswordReset } from './password-reset.service.js';
import { type LoginClient } from './session.types.js';

@ApiTags('login')
@Controller('login')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly codes: LoginCodes,
    private readonly resets: PasswordReset,
  ) {}

  /** Logs in: a new session, also named in the status block and set as cookie; or a code by mail that it awaits. */
  @Post()
  @Public()
  @BeginsSession()
  @ApiEnvelope(LoginDto)
  login(@Params() params: LoginParams, @CurrentClient() client: LoginClient): Promise<LoginDto> {
    return this.logins.login(params, client);
  }

  /** Finishes a login with the code that was mailed (older form). */
  @Get('validateclient')
  @Public()
  @BeginsSession()
  @SideEffect()
  @SupersededBy('/login/validateclient')
  @ApiEnvelope(ValidatedLoginDto)
  validateByGet(
    @Params() params: ValidateClientParams,
    @CurrentClient() client: LoginClient,
  ): Promise<ValidatedLoginDto> {
    return this.codes.validate(params, client);
  }

  /** Finishes a login with the code that was mailed. */
  @Post('validateclient')
  @Public()
  @BeginsSession()
  @ApiEnvelope(ValidatedLoginDto)
  validate(@Params() params: ValidateClientParams, @CurrentClient() client: LoginClient): Promise<ValidatedLoginDto> {
    return this.codes.validate(params, client);
  }

  /** Mails a link for a new password. The answer is the same whether there is such an account. */
  @Post('forgotpassword')
  @Public()
  @RateLimit('forgotAddress')
  @ApiEnvelope(DoneDto)
  forgotPassword(@Params() params: ForgotPasswordParams): Promise<DoneDto> {
    return this.resets.askForLink(params);
  }

  /** Sets a new password by the token of a mailed link, and ends all sessions. */
  @Post('resetpassword')
  @Public()
  @RateLimit('resetAddress')
  @ApiEnvelope(DoneDto)
  resetPassword(@Params() params: ResetPasswordParams, @CurrentClient() client: LoginClient): Promise<DoneDto> {
    return this.resets.reset(params, client.address);
  }
}
