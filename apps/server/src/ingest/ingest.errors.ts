import { BodyTooLargeError, MalformedBodyError } from '#libs/protocols';
import { AppError } from '../common/errors/app-error.js';

const QUEUE_RETRY_SECONDS = 2;
const STORAGE_RETRY_SECONDS = 5;

/** Too many points wait to be written: the sender is asked to slow down. */
export class IngestQueueFullError extends AppError {
  constructor() {
    super('rate_limited', 'The queue of points to be written is full.', [], QUEUE_RETRY_SECONDS);
  }
}

/** Nothing of the body was stored, or nobody can tell: the sender may send it again, which is harmless. */
export class PointsNotStoredError extends AppError {
  constructor() {
    super('not_ready', 'The points could not be stored; send them again.', [], STORAGE_RETRY_SECONDS);
  }
}

export class TooManyPointsError extends AppError {
  constructor(message: string) {
    super('too_large', message);
  }
}

/** SQLSTATE classes of a database that is away, stopping, full or busy, and errors of the network. */
const PASSING_CODE = /^(08|40|53|55|57|58)|^E[A-Z]+$/;
/** What the driver throws without a code. */
const PASSING_MESSAGE = /connection terminated|timeout exceeded|read timeout|not queryable|connection error|is closed/i;

/** Whether an error of the storage passes by itself, so that sending again makes sense. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? PASSING_CODE.test(found) : PASSING_MESSAGE.test(error.message);
}

/** Errors of the parsers in words of the catalogue. */
export function parserError(error: unknown): unknown {
  if (error instanceof BodyTooLargeError) return new TooManyPointsError(error.message);
  if (error instanceof MalformedBodyError) return new AppError(error.code, error.message, error.details);
  return error;
}
