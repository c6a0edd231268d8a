import { AppError, NotFoundError, ValidationFailedError } from '../../common/errors/app-error.js';

export class UserNotFoundError extends NotFoundError {
  /** `field`: the parameter that named the user, unless it was the path. */
  constructor(id: number, field?: string) {
    const message = `There is no user ${String(id)}.`;
    super(message, field === undefined ? [] : [{ field, code: 'not_one_of', message }]);
  }
}

export class EmailTakenError extends AppError {
  constructor() {
    super('email_taken', 'This e-mail address already belongs to a user.');
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

export class UserLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation can have ${String(limit)} users; remove a user who has left.`);
  }
}

export class LastAdminError extends AppError {
  constructor() {
    super(
      'last_admin',
      'This is the only active administrator of the organisation; make another user an administrator first.',
    );
  }
}

/** `message` states the current state and the alternative. */
export class UserStateConflictError extends AppError {
  constructor(message: string) {
    super('state_conflict', message);
  }
}

/** For a link that confirms an address. */
export class VerificationFailedError extends AppError {
  constructor() {
    super('verification_failed', 'verification_token is not known, or does not belong to the address in email.');
  }
}

export class LinkExpiredError extends AppError {
  constructor() {
    super('expired', 'The link is no longer valid: it was used, replaced by a newer one, or has expired.');
  }
}
