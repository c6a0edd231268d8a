import { AppError, NotFoundError, ValidationFailedError } from '../../common/errors/app-error.js';
import { OverloadedError } from '../../common/http/http.errors.js';

export class BenchmarkNotFoundError extends NotFoundError {
  constructor() {
    super('There is no benchmark with this id.');
  }
}

export class BenchmarkExpiredError extends AppError {
  constructor() {
    super('expired', 'The results of this benchmark have been erased: they are kept for seven days.');
  }
}

export class BenchmarkNotFinishedError extends AppError {
  constructor(message = 'The benchmark has no result yet.') {
    super('not_finished', message);
  }
}

export class BenchmarkMailSentError extends AppError {
  constructor() {
    super('state_conflict', 'The results of this benchmark have already been mailed.');
  }
}

export class TooFewPointsError extends AppError {
  constructor(points: number, least: number) {
    super('not_enough_data', `The series has ${String(points)} points; a benchmark needs at least ${String(least)}.`);
  }
}

export class TooManyBenchmarksError extends AppError {
  constructor(limit: number) {
    super(
      'rate_limited',
      `${String(limit)} of your benchmarks are running; wait until one of them has finished.`,
      [],
      10,
    );
  }
}

export class BenchmarksFullError extends OverloadedError {
  constructor() {
    super('Too many benchmarks wait or are kept; try again later.', 600);
  }
}

/** A file without a series, or with more than one. */
export class DataFileError extends ValidationFailedError {
  constructor(message: string) {
    super([{ field: 'data_file', code: 'bad_format', message }]);
  }
}
