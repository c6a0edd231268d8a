import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../common/auth/access.decorators.js';
import { ApiEnvelope } from '../common/envelope/api-envelope.decorator.js';
import { Params } from '../common/validation/params.decorator.js';
import { LoginParams } from './dto/login.params.js';
import { LoginDto } from './dto/session-answers.dto.js';
import { CurrentClient } from './login-client.decorator.js';
import { LoginService } from './login.service.js';
import { type LoginClient } from './session.types.js';

@ApiTags('login')
@Controller('login')
export class LoginController {
  constructor(private readonly logins: LoginService) {}

  /** Logs in: a new session, also named in the status block and set as cookie. */
  @Post()
  @Public()
  @ApiEnvelope(LoginDto)
  login(@Params() params: LoginParams, @CurrentClient() client: LoginClient): Promise<LoginDto> {
    return this.logins.login(params, client);
  }
}
