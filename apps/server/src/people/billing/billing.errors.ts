import { AppError, NotFoundError, ValidationFailedError } from '../../common/errors/app-error.js';
import { givenText } from '../../common/validation/param-message.js';

export class BillingNotConfiguredError extends AppError {
  constructor() {
    super('not_configured', 'No payment provider is connected to this installation.');
  }
}

/** The payment provider refused, failed, or did not answer in time. */
export class PaymentProviderError extends AppError {
  constructor(message = 'The payment provider did not complete the request; nothing was changed. Try again later.') {
    super('upstream_failed', message);
  }
}

/** A customer that the provider does not have (any more): deleted there, or of another account of the provider. */
export class UnknownCustomerError extends PaymentProviderError {}

export class WebhookSignatureError extends AppError {
  constructor() {
    super('signature_invalid', 'The signature does not match this body, or is older than five minutes.');
  }
}

export class UnknownPlanError extends ValidationFailedError {
  constructor(given: string, plans: readonly string[]) {
    const message = `plan_id must be one of ${plans.join(', ')}${givenText('plan_id', given)}`;
    super([{ field: 'plan_id', code: 'not_one_of', message }]);
  }
}

export class ReturnAddressError extends ValidationFailedError {
  constructor(given: string, origin: string) {
    const message = `return_url must be an address below ${origin}/${givenText('return_url', given)}`;
    super([{ field: 'return_url', code: 'address_not_allowed', message }]);
  }
}

/** A second subscription would be charged in addition to the first. */
export class AlreadySubscribedError extends AppError {
  constructor(planName: string) {
    super(
      'state_conflict',
      `The organisation already has the plan ${planName}; change or end it in the billing portal.`,
    );
  }
}

export class NoSubscriptionError extends NotFoundError {
  constructor() {
    super('The organisation has no subscription; choose a plan first.');
  }
}

export class CheckoutNotFoundError extends NotFoundError {
  constructor() {
    super('There is no checkout with this checkout_session_id.');
  }
}
