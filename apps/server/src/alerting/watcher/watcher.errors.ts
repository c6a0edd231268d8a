import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class WatcherNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no watcher ${String(id)}.`);
  }
}

export class WatcherLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation can have at most ${String(limit)} watchers; remove one first.`);
  }
}

export class WatcherNameTakenError extends AppError {
  constructor(name: string) {
    super('already_exists', `A watcher named "${name}" already exists.`);
  }
}

export class WatcherDeletedError extends AppError {
  constructor(id: number) {
    super('state_conflict', `The watcher ${String(id)} is deleted; restore it first.`);
  }
}

export class NotAThresholdWatcherError extends AppError {
  constructor(id: number) {
    super('wrong_type', `The watcher ${String(id)} watches anomalies: it has no threshold.`);
  }
}

export class WatcherTypeFixedError extends AppError {
  constructor(name: string, type: string) {
    super(
      'wrong_type',
      `The watcher "${name}" exists with a type other than ${type}; remove it, or choose another name.`,
    );
  }
}

export class RestoreExpiredError extends AppError {
  constructor(id: number, days: number) {
    super(
      'expired',
      `The watcher ${String(id)} was deleted more than ${String(days)} days ago and can no longer be restored.`,
    );
  }
}
