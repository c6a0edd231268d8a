import { BodyTooLargeError, MalformedBodyError } from '#libs/protocols';
import { AppError } from '../../common/errors/app-error.js';

export class TooManyPointsError extends AppError {
  constructor(message: string) {
    super('too_large', message);
  }
}

/** Converts errors of the parsers to errors of the catalogue. */
export function parserError(error: unknown): unknown {
  if (error instanceof BodyTooLargeError) return new TooManyPointsError(error.message);
  if (error instanceof MalformedBodyError) return new AppError(error.code, error.message, error.details);
  return error;
}
