import { AppError, NotFoundError, ValidationFailedError } from '../../common/errors/app-error.js';
import { type ProgressStatus } from './progress.types.js';
import { givenText } from '../../common/validation/param-message.js';

export class ProgressNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no progress ${String(id)}.`);
  }
}

export class ProgressOverError extends AppError {
  constructor(id: number, status: ProgressStatus) {
    super('state_conflict', `Progress ${String(id)} is ${status}: it cannot be changed any more.`);
  }
}

export class NotCancellableError extends AppError {
  constructor(id: number) {
    super('state_conflict', `Progress ${String(id)} cannot be cancelled.`);
  }
}

export class StepKeptByServiceError extends AppError {
  constructor(key: string) {
    super('state_conflict', `The step "${key}" is set by the service and cannot be changed.`);
  }
}

export class UnknownStepError extends ValidationFailedError {
  constructor(given: string, keys: readonly string[]) {
    const rule = keys.length === 0 ? 'must be left out: there are no steps' : `must be one of ${keys.join(', ')}`;
    super([{ field: 'step', code: 'not_one_of', message: `step ${rule}${givenText('step', given)}` }]);
  }
}
