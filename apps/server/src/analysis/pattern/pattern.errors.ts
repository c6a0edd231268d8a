import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class PatternNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no pattern ${String(id)}.`);
  }
}

export class TooManyPatternsError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `A metric has at most ${String(limit)} enabled patterns; disable one that is not needed.`);
  }
}
