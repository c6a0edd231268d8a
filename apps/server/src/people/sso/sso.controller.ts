import { Controller, Get, Req } from '@nestjs/common';
import { ApiOperation, ApiSeeOtherResponse, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { FromAnySite, Public, SideEffect } from '../../common/auth/access.decorators.js';
import { authenticateBy } from '../../common/auth/strategies/credential.strategy.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { AppError } from '../../common/errors/app-error.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Answer, AnswerHead } from '../../common/http/answer.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { Links } from '../../common/http/links.js';
import { SeeOther } from '../../common/http/see-other.js';
import { Params } from '../../common/validation/params.decorator.js';
import { CurrentClient } from '../session/login-client.decorator.js';
import { type LoginClient } from '../session/session.types.js';
import { SsoSessionDto } from './dto/sso-answers.dto.js';
import { BeginSsoParams, FinishSsoParams } from './dto/sso.params.js';
import { SsoEntryService } from './sso-entry.service.js';
import { SsoLoginOverError } from './sso.errors.js';
import { SingleSignOnService } from './single-sign-on.service.js';
import { keepBrowserSecret, SsoStrategy } from './sso.strategy.js';

@ApiTags('login')
@Controller('login')
export class SsoController {
  constructor(
    private readonly sso: SingleSignOnService,
    private readonly strategy: SsoStrategy,
    private readonly entry: SsoEntryService,
    private readonly links: Links,
  ) {}

  @Get('sso')
  @Public()
  @SideEffect()
  @FromAnySite()
  @Throws('upstream_failed', 'not_configured')
  @ApiOperation({
    summary: 'Begin a login at the provider of the single sign-on: 303 to its page',
    description:
      'For browsers: sets a short-lived cookie and sends the browser to the identity provider. `return_to` is ' +
      'the page of the console to come back to.',
  })
  @ApiSeeOtherResponse({ description: 'To the provider' })
  async begin(
    @Params() { return_to: returnTo }: BeginSsoParams,
    @Req() request: Request,
    @Answer() head: AnswerHead,
  ): Promise<SeeOther> {
    const browser = keepBrowserSecret(request, head);
    return new SeeOther(await this.sso.begin(browser, returnTo));
  }

  @Get('sso/callback')
  @Public()
  @SideEffect()
  @FromAnySite()
  @Throws('login_failed', 'email_taken', 'limit_reached', 'expired', 'upstream_failed', 'not_configured')
  @ApiOperation({
    summary: 'Finish a login at the provider of the single sign-on',
    description:
      'The identity provider sends the browser here. The answer sets the session cookie and leads to the ' +
      'console; programs that ask for JSON get the session.',
  })
  @ApiEnvelope(SsoSessionDto)
  @ApiSeeOtherResponse({
    description: 'Without `Accept: application/json`: to the console, to its login page when the login failed',
  })
  async finish(
    @Params() { state }: FinishSsoParams,
    @Req() request: Request,
    @CurrentClient() client: LoginClient,
  ): Promise<SsoSessionDto | SeeOther> {
    const wantsPage = request.accepts(['html', 'json']) !== 'json';
    try {
      // Not in a guard: guards run before the parameters are validated, and an invalid parameter must not consume the
      // login.
      const [arrival] = await authenticateBy(this.strategy, request, { state });
      if (!arrival) throw new SsoLoginOverError();
      const answer = await this.entry.enter(arrival, client);
      return wantsPage ? new SeeOther(answer.return_to) : answer;
    } catch (error) {
      if (!wantsPage || !(error instanceof AppError)) throw error;
      return new SeeOther(this.links.console(CONSOLE_PATHS.login, { error: error.code, message: error.message }));
    }
  }
}
