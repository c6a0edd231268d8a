import { AppError, NotFoundError, ValidationFailedError } from '../common/errors/app-error.js';

export class UserNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no user ${String(id)}.`);
  }
}

export class EmailTakenError extends AppError {
  constructor() {
    super('email_taken', 'This e-mail address belongs to a user already.');
  }
}

/** `problem` completes the sentence "The password …". */
export class WeakPasswordError extends ValidationFailedError {
  constructor(
    readonly problem: string,
    field = 'password',
  ) {
    super([{ field, code: 'weak_password', message: `The password ${problem}.` }]);
  }
}

export class BadEmailError extends ValidationFailedError {
  constructor(email: string) {
    super([{ field: 'email', code: 'bad_format', message: `"${email}" is not an e-mail address.` }]);
  }
}

export class TooManyLoginsError extends AppError {
  constructor(retryAfterSeconds: number) {
    super('overloaded', 'Too many passwords are being checked; try again soon.', [], retryAfterSeconds);
  }
}
