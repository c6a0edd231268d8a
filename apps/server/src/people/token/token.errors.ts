import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class TokenNotFoundError extends NotFoundError {
  constructor() {
    super('There is no such token.');
  }
}

export class TokenLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation can have ${String(limit)} tokens; remove one that is no longer used.`);
  }
}
