import { AppError } from '../../common/errors/app-error.js';

/** Error codes of a request, as in the retired service. */
export type DetectCode =
  | 'InvalidCustomInterval'
  | 'BadArgument'
  | 'InvalidGranularity'
  | 'InvalidPeriod'
  | 'InvalidModelArgument'
  | 'InvalidSeries'
  | 'InvalidJsonFormat'
  | 'RequiredGranularity'
  | 'RequiredSeries'
  | 'InvalidImputeMode'
  | 'InvalidImputeFixedValue';

/** Thrown while a request is read, also in the worker thread. */
export class RefusedRequest extends Error {
  constructor(
    readonly code: DetectCode,
    message: string,
  ) {
    super(message);
    this.name = 'RefusedRequest';
  }
}

/** The same error for the answer. */
export class DetectRequestError extends AppError {
  constructor(
    readonly detectCode: DetectCode,
    message: string,
  ) {
    super('validation_failed', message);
  }
}
