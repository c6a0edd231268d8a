import { AppError } from '../errors/app-error.js';

export class MethodNotAllowedError extends AppError {
  /** `allow` is the value of the header of that name. */
  constructor(
    method: string,
    readonly allow: string,
  ) {
    super('method_not_allowed', `${method} is not possible here; allowed: ${allow}.`);
  }
}

export class TooLargeError extends AppError {
  constructor(what: string, limitBytes: number) {
    super('too_large', `${what} is over the limit of ${String(limitBytes)} bytes.`);
  }
}

export class UnsupportedMediaTypeError extends AppError {
  constructor(message: string) {
    super('unsupported_media_type', message);
  }
}

export class MalformedBodyError extends AppError {
  constructor(message: string) {
    super('malformed_body', message);
  }
}

/** The sender disconnected, or sent so slowly that its connection was closed: it does not receive this answer. */
export class BodyCutError extends AppError {
  constructor(
    readonly reason: 'cut' | 'stalled',
    message: string,
  ) {
    super('malformed_body', message);
  }
}

/** More work is running than this process can hold or do at the same time. */
export class OverloadedError extends AppError {
  constructor(message: string, retrySeconds = 1) {
    super('overloaded', message, [], retrySeconds);
  }
}
