import { AppError, NotFoundError } from '../../common/errors/app-error.js';
import { shownName } from '../../common/validation/param-message.js';

/**
 * The same for an unknown address, a disabled account and a wrong password: the answer reveals nothing about accounts.
 */
export class LoginFailedError extends AppError {
  constructor() {
    super('login_failed', 'The e-mail address or the password is wrong.');
  }
}

export class OldPasswordWrongError extends AppError {
  constructor() {
    super('login_failed', 'The old password is wrong.');
  }
}

export class LoginCodeUnavailableError extends AppError {
  constructor() {
    super('not_configured', 'This login needs a code sent by e-mail, and this service cannot send mail.');
  }
}

export class LoginCodeWrongError extends AppError {
  constructor() {
    super('code_invalid', 'The code is wrong.');
  }
}

export class LoginCodeExpiredError extends AppError {
  constructor() {
    super('expired', 'The code has expired: it is valid for 10 minutes and 5 tries. Log in again for a new one.');
  }
}

export class NoLoginAwaitsCodeError extends AppError {
  constructor() {
    super(
      'not_authenticated',
      'No login is waiting for a code here. Use the link in the mail, or the browser in which the login began.',
    );
  }
}

/** The same for links that never existed, used ones and old ones. */
export class ResetLinkExpiredError extends AppError {
  constructor() {
    super('expired', 'This link has expired: it is valid for an hour and one use. Ask for a new one.');
  }
}

export class SessionNotFoundError extends NotFoundError {
  constructor(ref: string) {
    super(`You have no session with the reference ${shownName(ref)}; GET /user/sessions lists all.`);
  }
}
