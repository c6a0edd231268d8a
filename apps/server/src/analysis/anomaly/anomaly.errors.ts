import { NotFoundError } from '../../common/errors/app-error.js';

export class AnomalyNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no anomaly ${String(id)}.`);
  }
}

/** An id in the parameters that does not exist in the organisation of the caller. */
export class ReferenceNotFoundError extends NotFoundError {
  constructor(field: string, id: number | string) {
    const message = `There is no ${field.replace(/_id$/, '')} ${String(id)}.`;
    super(message, [{ field, code: 'not_one_of', message: `${field}: ${message}` }]);
  }
}

export class NoDataAtTimeError extends NotFoundError {
  constructor(metric: string, timestamp: number) {
    super(`${metric} has no data within an hour of ${String(timestamp)}.`, [
      {
        field: 'timestamp',
        code: 'not_one_of',
        message: `timestamp must be within an hour of data of the metric, got ${String(timestamp)}`,
      },
    ]);
  }
}
