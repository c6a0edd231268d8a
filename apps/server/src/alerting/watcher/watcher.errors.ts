import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class WatcherNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no watcher ${String(id)}.`);
  }
}

export class WatcherLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation has at most ${String(limit)} watchers.`);
  }
}

export class WatcherNameTakenError extends AppError {
  constructor(name: string) {
    super('already_exists', `There is a watcher "${name}" already.`);
  }
}

export class WatcherDeletedError extends AppError {
  constructor(id: number) {
    super('state_conflict', `The watcher ${String(id)} is deleted; restore it first.`);
  }
}

export class NotAThresholdWatcherError extends AppError {
  constructor(id: number) {
    super('wrong_type', `The watcher ${String(id)} is one of anomalies; it has no threshold.`);
  }
}

export class WatcherTypeFixedError extends AppError {
  constructor(name: string, type: string) {
    super('wrong_type', `The watcher "${name}" is of another type than ${type}; remove it, or choose another name.`);
  }
}

export class RestoreExpiredError extends AppError {
  constructor(id: number, days: number) {
    super('expired', `The watcher ${String(id)} was deleted more than ${String(days)} days ago.`);
  }
}
