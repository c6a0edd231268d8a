import { type PermissionName } from '#libs/contracts';
import { AppError, NotFoundError, ValidationFailedError } from '../../common/errors/app-error.js';

export class TokenNotFoundError extends NotFoundError {
  constructor() {
    super('There is no token with this id.');
  }
}

export class TokenLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation can have ${String(limit)} tokens; remove one that is no longer used.`);
  }
}

/** A token must never permit more than when it was handed over. */
export class MorePermissionsError extends ValidationFailedError {
  constructor(added: readonly PermissionName[]) {
    super([
      {
        field: 'permissions',
        code: 'not_one_of',
        message: `permissions must not have ${added.join(', ')}: the token does not have that, and permissions can only be removed`,
      },
    ]);
  }
}
