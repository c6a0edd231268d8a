import { Controller, Get, Headers, Post, Req } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiSeeOtherResponse, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Permission } from '#libs/contracts';
import {
  CurrentCaller,
  FromAnySite,
  Public,
  RequirePermissions,
  SideEffect,
} from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { AcceptRawBody } from '../../common/http/answer.decorators.js';
import { RawBody } from '../../common/http/answer.js';
import { Fetch } from '../../common/http/fetch.decorator.js';
import { RateLimit, rateLimit } from '../../common/http/rate-limits.js';
import { SeeOther } from '../../common/http/see-other.js';
import { PageParams } from '../../common/paging/page.params.js';
import { MINUTE } from '../../common/time.js';
import { Params } from '../../common/validation/params.decorator.js';
import { BillingHistoryService } from './billing-history.service.js';
import { BillingConfig } from './billing.config.js';
import { CheckoutReturnService, CheckoutService } from './checkout.service.js';
import { CustomerPortalService } from './customer-portal.service.js';
import { CheckoutReturnDto, CheckoutSessionDto, PortalSessionDto, WebhookAnswerDto } from './dto/checkout.dto.js';
import { CheckoutReturnParams, CheckoutSessionParams, PortalSessionParams } from './dto/checkout.params.js';
import { BillingHistoryDto } from './dto/history.dto.js';
import { WebhookService } from './webhook.service.js';

/** Messages of the payment provider: their signature proves the sender, not a credential. */
export const PAYMENT_CALLBACK = rateLimit({
  name: 'paymentCallback',
  config: BillingConfig,
  points: (config) => config.paymentCallback,
  windowSeconds: MINUTE,
  byAddress: true,
  insteadOfGeneral: true,
});

const RETURN = {
  summary: 'Return from a checkout: the plan becomes the one that the payment provider reports',
  description:
    'The payment provider sends the browser here. The checkout is looked up at the provider, and only its answer ' +
    'changes the plan; the call may be repeated.',
};
const TO_CONSOLE = { description: 'With `Accept: text/html`: to the page of the console that the checkout began on' };

@ApiTags('billing')
@Controller()
export class BillingController {
  constructor(
    private readonly checkouts: CheckoutService,
    private readonly returns: CheckoutReturnService,
    private readonly portal: CustomerPortalService,
    private readonly histories: BillingHistoryService,
    private readonly webhooks: WebhookService,
  ) {}

  @Fetch('billing/getcheckoutsession')
  @RequirePermissions(Permission.Admin)
  @SideEffect()
  @Throws('state_conflict', 'upstream_failed', 'not_configured')
  @ApiOperation({
    summary: 'Open a checkout at the payment provider',
    description:
      'Answers the address of a page of the payment provider where the plan is paid. Only what the provider ' +
      'confirms afterwards changes the plan.',
  })
  @ApiEnvelope(CheckoutSessionDto)
  open(
    @CurrentCaller() caller: KnownCaller,
    @Params() { plan_id: planId, return_url: returnUrl }: CheckoutSessionParams,
  ): Promise<CheckoutSessionDto> {
    return this.checkouts.open(caller, planId, returnUrl);
  }

  @Fetch('billing/getportalsession')
  @RequirePermissions(Permission.Admin)
  @SideEffect()
  @Throws('not_found', 'upstream_failed', 'not_configured')
  @ApiOperation({
    summary: 'Open the portal of the payment provider: cards, invoices, change and end of the plan',
    description:
      'Answers the address of the portal, valid for a short time. 404 when the organisation has no ' + 'subscription.',
  })
  @ApiEnvelope(PortalSessionDto)
  openPortal(
    @CurrentCaller() caller: KnownCaller,
    @Params() { return_url: returnUrl }: PortalSessionParams,
  ): Promise<PortalSessionDto> {
    return this.portal.open(caller, returnUrl);
  }

  @Fetch('billing/history')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'List invoices and plans, with the plan of the organisation',
    description:
      'Invoices page by page, the plans on offer, and when the present plan renews or ends. Empty lists where ' +
      'no payment provider is configured.',
  })
  @ApiEnvelope(BillingHistoryDto)
  history(@CurrentCaller() caller: KnownCaller, @Params() params: PageParams): Promise<BillingHistoryDto> {
    return this.histories.getHistory(caller.org, params);
  }

  @Fetch('billing/checkoutcallback')
  @Public()
  @SideEffect()
  @FromAnySite()
  @Throws('not_found', 'upstream_failed', 'not_configured')
  @ApiOperation(RETURN)
  @ApiEnvelope(CheckoutReturnDto)
  @ApiSeeOtherResponse(TO_CONSOLE)
  comeBack(@Params() params: CheckoutReturnParams, @Req() request: Request): Promise<CheckoutReturnDto | SeeOther> {
    return this.answerReturn(params, request);
  }

  @Get('org/paymentcallback')
  @Public()
  @SideEffect()
  @FromAnySite()
  @Throws('not_found', 'upstream_failed', 'not_configured')
  @ApiOperation(RETURN)
  @ApiEnvelope(CheckoutReturnDto)
  @ApiSeeOtherResponse(TO_CONSOLE)
  comeBackToOrg(
    @Params() params: CheckoutReturnParams,
    @Req() request: Request,
  ): Promise<CheckoutReturnDto | SeeOther> {
    return this.answerReturn(params, request);
  }

  @Post('org/paymentcallback')
  @Public()
  @RateLimit(PAYMENT_CALLBACK)
  @FromAnySite()
  @AcceptRawBody()
  @Throws('signature_invalid', 'upstream_failed', 'not_configured')
  @ApiOperation({
    summary: "Receive the payment provider's signed messages",
    description:
      'For the payment provider alone: the body is checked against its signature, and each event is applied ' +
      'once. Unknown types are accepted and ignored.',
  })
  @ApiHeader({ name: 'Stripe-Signature', required: true, description: 'Of the body, at most five minutes old' })
  @ApiBody({ schema: { type: 'object' }, description: 'An event of the payment provider' })
  @ApiEnvelope(WebhookAnswerDto)
  receive(
    @RawBody() body: Buffer,
    @Headers('stripe-signature') signature: string | undefined,
  ): Promise<WebhookAnswerDto> {
    return this.webhooks.receive(body, signature ?? '');
  }

  private async answerReturn(params: CheckoutReturnParams, request: Request): Promise<CheckoutReturnDto | SeeOther> {
    const { answer, consoleUrl } = await this.returns.comeBack(params);
    return request.accepts(['json', 'html']) === 'html' ? new SeeOther(consoleUrl) : answer;
  }
}
