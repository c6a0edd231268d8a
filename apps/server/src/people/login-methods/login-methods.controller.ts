import { Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { LoginMethodsDto } from './dto/login-methods.dto.js';
import { LoginMethodsService } from './login-methods.service.js';

@ApiTags('login')
@Controller('login')
export class LoginMethodsController {
  constructor(private readonly loginMethods: LoginMethodsService) {}

  @Fetch('methods')
  @Public()
  @ApiOperation({
    summary: 'List the ways to log in',
    description:
      'Whether passwords, single sign-on, sign-up, the demo and mail are available here. Needs no credential: ' +
      'a login page depends on it.',
  })
  @ApiEnvelope(LoginMethodsDto)
  methods(@Params() _params: NoParams): LoginMethodsDto {
    return this.loginMethods.list();
  }
}
