import { AppError } from '../errors/app-error.js';

export class NotAuthenticatedError extends AppError {
  constructor() {
    super('not_authenticated', 'This needs a session or a token; log in, or send a token in X-Auth-Token.');
  }
}

export class SessionExpiredError extends AppError {
  constructor() {
    super('session_expired', 'The session has ended; log in again.');
  }
}

export class TokenExpiredError extends AppError {
  constructor() {
    super('token_expired', 'The token has expired; ask an administrator for a new one.');
  }
}

export class SessionRequiredError extends AppError {
  constructor() {
    super('session_required', 'This call acts on the account of a user; it does not accept a token.');
  }
}

export class PermissionDeniedError extends AppError {
  constructor(permission: string) {
    super('permission_denied', `The credential lacks the permission "${permission}".`, [missing(permission)]);
  }
}

export class DemoAccountError extends AppError {
  constructor(permission: string) {
    super('demo_account', 'The demo account is read-only; log in with an account of your own.', [missing(permission)]);
  }
}

export class CrossSiteRefusedError extends AppError {
  constructor() {
    super(
      'cross_site_refused',
      'The request was sent by a page of another site: with a session cookie, only pages of this service and of CORS_ORIGINS may log in and change data.',
    );
  }
}

function missing(permission: string) {
  return { field: 'permission', code: 'missing', message: permission };
}
