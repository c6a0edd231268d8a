import { AppError } from '../../common/errors/app-error.js';

export class SsoNotConfiguredError extends AppError {
  constructor(message = 'Single sign-on is not set up.') {
    super('not_configured', message);
  }
}

/** The state is unknown, used or expired, or belongs to another browser: the answer does not reveal which. */
export class SsoLoginOverError extends AppError {
  constructor() {
    super('expired', 'This login has expired, or was started in another browser. Please start again.');
  }
}

/** `message` states the reason and a remedy. */
export class SsoRefusedError extends AppError {
  constructor(message: string) {
    super('login_failed', message);
  }
}

export class SsoProviderError extends AppError {
  constructor() {
    super('upstream_failed', 'The provider of the single sign-on did not answer correctly. Try again later.');
  }
}
