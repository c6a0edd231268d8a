import { Injectable } from '@nestjs/common';
import { ServerConfig } from '../../common/config/server.config.js';
import { Links } from '../../common/http/links.js';
import { ReturnAddressError } from './billing.errors.js';
import { type CheckoutResult } from './dto/checkout.params.js';

/** Page of the console. */
const BILLING_PAGE = '/billing';
/** The provider fills it in. */
const SESSION_PLACEHOLDER = '{CHECKOUT_SESSION_ID}';

/** The addresses that browsers return to from the pages of the payment provider. */
@Injectable()
export class ReturnAddressesService {
  constructor(
    private readonly server: ServerConfig,
    private readonly links: Links,
  ) {}

  /**
   * Checks the page that a client requests. Default: the billing page of the console.
   * @throws ReturnAddressError for an address that is not of the console
   */
  resolve(given: string | undefined): string {
    if (given === undefined) return this.links.console(BILLING_PAGE);
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const { consoleOrigin } = this.server;
    if (url?.origin !== consoleOrigin || url.username !== '' || url.password !== '') {
      throw new ReturnAddressError(given, consoleOrigin);
    }
    return url.href;
  }

  /** The API route that finishes a checkout; the provider fills in the id. */
  afterPayment(): string {
    const back = this.links.api('/billing/checkoutcallback', { result: 'success' });
    return `${back}&checkout_session_id=${SESSION_PLACEHOLDER}`;
  }

  /** The console page with the result of the checkout. */
  withResult(returnUrl: string, result: CheckoutResult): string {
    const url = new URL(returnUrl);
    url.searchParams.set('checkout', result);
    return url.href;
  }
}
