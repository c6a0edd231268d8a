import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class PatternNotFoundError extends NotFoundError {
  /** @param field the parameter that contained it; omitted for the path */
  constructor(id: number, field?: string) {
    const message = `There is no pattern ${String(id)}.`;
    super(message, field === undefined ? [] : [{ field, code: 'not_one_of', message: `${field}: ${message}` }]);
  }
}

export class TooManyPatternsError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `A metric has at most ${String(limit)} enabled patterns; disable one that is not needed.`);
  }
}
