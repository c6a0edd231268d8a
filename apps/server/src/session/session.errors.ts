import { AppError } from '../common/errors/app-error.js';

/** The same for an unknown address, a disabled account and a wrong password: the answer tells nothing about accounts. */
export class LoginFailedError extends AppError {
  constructor() {
    super('login_failed', 'The e-mail address or the password is wrong.');
  }
}

export class LoginCodeUnavailableError extends AppError {
  constructor() {
    super('not_configured', 'This login needs a code sent by e-mail, and this service cannot send mail.');
  }
}
