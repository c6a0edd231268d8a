import { AppError } from '../../common/errors/app-error.js';

/** Error types of Prometheus: `errorType` of an error answer. */
export type PrometheusErrorType =
  | 'bad_data'
  | 'execution'
  | 'timeout'
  | 'not_found'
  | 'unauthorized'
  | 'forbidden'
  | 'too_many_requests'
  | 'unavailable'
  | 'internal';

/** An error with its own type; all others have the type of their HTTP status. */
export abstract class PrometheusError extends AppError {
  abstract readonly errorType: PrometheusErrorType;
}

/** A parameter or a query that cannot be parsed. */
export class BadDataError extends PrometheusError {
  readonly errorType = 'bad_data';

  constructor(message: string) {
    super('validation_failed', message);
  }
}

export const endBeforeStart = (): BadDataError =>
  new BadDataError('invalid parameter "end": end timestamp must not be before start time');

/** A valid query that is not supported: PromQL beyond selectors, or more work than one request may cause. */
export class ExecutionError extends PrometheusError {
  readonly errorType = 'execution';
  override readonly httpStatus = 422;

  constructor(message: string) {
    super('validation_failed', message);
  }
}

export class QueryTimeoutError extends PrometheusError {
  readonly errorType = 'timeout';

  constructor(what: string) {
    super('overloaded', `query timed out in ${what}`);
  }
}

const TYPE_OF_STATUS: Readonly<Record<number, PrometheusErrorType | undefined>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  429: 'too_many_requests',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
};

/** An error in the form for clients of Prometheus. */
export function prometheusErrorBody(error: AppError): { contentType: string; body: object } {
  const errorType =
    error instanceof PrometheusError ? error.errorType : (TYPE_OF_STATUS[error.httpStatus] ?? 'bad_data');
  return { contentType: 'application/json', body: { status: 'error', errorType, error: error.message } };
}
