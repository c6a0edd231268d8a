import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class TuningNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no tuning ${String(id)}.`);
  }
}

export class TuningLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation can have at most ${String(limit)} tunings; remove one first.`);
  }
}
