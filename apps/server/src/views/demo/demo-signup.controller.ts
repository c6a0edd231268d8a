import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { BeginsSession, Public } from '../../common/auth/access.decorators.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { CurrentClient } from '../../people/session/login-client.decorator.js';
import { type LoginClient } from '../../people/session/session.types.js';
import { DemoVisitsService } from './demo-visits.service.js';
import { DemoOrgsDto, DemoSignupDto } from './dto/demo-signup.dto.js';
import { DemoSignupParams } from './dto/demo-signup.params.js';

@ApiTags('signup')
@Controller('signup')
export class DemoSignupController {
  constructor(private readonly visits: DemoVisitsService) {}

  @Fetch('demo-orgs')
  @Public()
  @ApiOperation({
    summary: 'List the demo organisations that visitors may look at; none while the demo is switched off',
    description:
      'Each with its name, what it shows, and the number of its metrics. The metrics are synthetic and live, ' +
      'with labelled anomalies.',
  })
  @ApiEnvelope(DemoOrgsDto)
  list(@Params() _params: NoParams): Promise<DemoOrgsDto> {
    return this.visits.list();
  }

  @Post('demo')
  @Public()
  @BeginsSession()
  @Throws('login_failed', 'not_found', 'limit_reached', 'not_configured')
  @ApiOperation({
    summary: 'Become a visitor of the demo: logged in for a day, forgotten after seven',
    description:
      'Answers a session of a new user without password who may read and change nothing. 503 while the demo is ' +
      'switched off.',
  })
  @ApiEnvelope(DemoSignupDto)
  enter(@Params() params: DemoSignupParams, @CurrentClient() client: LoginClient): Promise<DemoSignupDto> {
    return this.visits.enter(params, client);
  }
}
