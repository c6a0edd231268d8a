import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BeginsSession, Public } from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { Params } from '../../common/validation/params.decorator.js';
import { CurrentClient } from '../session/login-client.decorator.js';
import { type LoginClient } from '../session/session.types.js';
import { SelfServeDto, VerifiedDto } from './dto/signup-answers.dto.js';
import { SelfServeParams, VerifyParams } from './dto/signup.params.js';
import { SIGNUP_ADDRESS } from './signup-limits.types.js';
import { JoiningService } from './joining.service.js';
import { SignupService } from './signup.service.js';

@ApiTags('signup')
@Controller('signup')
@RateLimit(SIGNUP_ADDRESS)
export class SignupController {
  constructor(
    private readonly signup: SignupService,
    private readonly joining: JoiningService,
  ) {}

  @Post('selfserve')
  @Public()
  @Throws('signup_closed', 'email_taken')
  @ApiOperation({
    summary: 'Create an organisation and mail its first administrator a link',
    description:
      'The link sets the first password and is valid for 48 hours; without a mail server it is written to the ' +
      'log of the server. The operator decides who may sign up (`SIGNUP_MODE`).',
  })
  @ApiEnvelope(SelfServeDto)
  selfServe(@Params() params: SelfServeParams): Promise<SelfServeDto> {
    return this.signup.selfServe(params);
  }

  @Post('verify')
  @Public()
  @BeginsSession()
  @Throws('verification_failed', 'login_failed', 'expired')
  @ApiOperation({
    summary: 'Set the first password after a sign-up or an invitation, and log in',
    description:
      'Takes the token of the mailed link and the password twice. The account becomes active, and the answer ' +
      'has a session.',
  })
  @ApiEnvelope(VerifiedDto)
  verify(@Params() params: VerifyParams, @CurrentClient() client: LoginClient): Promise<VerifiedDto> {
    return this.joining.verify(params, client);
  }
}
