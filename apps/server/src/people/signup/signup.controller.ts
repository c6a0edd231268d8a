import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BeginsSession, Public } from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { RateLimit } from '../../common/http/rate-limits.js';
import { Params } from '../../common/validation/params.decorator.js';
import { CurrentClient } from '../session/login-client.decorator.js';
import { type LoginClient } from '../session/session.types.js';
import { SelfServeDto, VerifiedDto } from './dto/signup-answers.dto.js';
import { SelfServeParams, VerifyParams } from './dto/signup.params.js';
import { SignupService } from './signup.service.js';

@ApiTags('signup')
@Controller('signup')
@RateLimit('signupAddress')
export class SignupController {
  constructor(private readonly signup: SignupService) {}

  /** Makes an organisation and mails its first administrator a link. */
  @Post('selfserve')
  @Public()
  @ApiEnvelope(SelfServeDto)
  selfServe(@Params() params: SelfServeParams): Promise<SelfServeDto> {
    return this.signup.selfServe(params);
  }

  /** Sets the first password after a sign-up or an invitation, and logs in. */
  @Post('verify')
  @Public()
  @BeginsSession()
  @ApiEnvelope(VerifiedDto)
  verify(@Params() params: VerifyParams, @CurrentClient() client: LoginClient): Promise<VerifiedDto> {
    return this.signup.verify(params, client);
  }
}
