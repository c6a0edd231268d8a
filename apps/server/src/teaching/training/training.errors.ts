import { type DetailCode } from '#libs/contracts';
import { AppError, ValidationFailedError } from '../../common/errors/app-error.js';

export class AlreadyTrainedError extends AppError {
  constructor(id: number) {
    super('already_trained', `Anomaly ${String(id)} has already been trained for these durations.`);
  }
}

export class TrainingExpiredError extends AppError {
  constructor(id: number) {
    super('expired', `Anomaly ${String(id)} began too long ago to be trained.`);
  }
}

export class NotTrainableError extends AppError {
  constructor(status: DetailCode) {
    const message = `This anomaly cannot be trained: ${status.replaceAll('_', ' ')}.`;
    super('not_trainable', message, [{ field: 'anomaly_id', code: status, message }]);
  }
}

export class NotEnoughDataError extends AppError {
  constructor(durations: readonly number[]) {
    const message =
      durations.length === 0
        ? 'The metric has too little data for any of the durations.'
        : `The metric has too little data for ${durations.map((seconds) => `${String(seconds)} s`).join(', ')}.`;
    super('not_enough_data', message, [{ field: 'durations', code: 'not_enough_data', message }]);
  }
}

export class NothingTrainedError extends AppError {
  constructor(id: number) {
    super('state_conflict', `Nothing was trained from anomaly ${String(id)}.`);
  }
}

export class AnomalyReferenceError extends ValidationFailedError {
  constructor() {
    const message = 'either anomaly_id, or metric and timestamp, must be given';
    super([{ field: 'anomaly_id', code: 'exactly_one', message }]);
  }
}

export class NotOpenError extends AppError {
  constructor(id: number) {
    super('state_conflict', `Anomaly ${String(id)} is not open.`);
  }
}
