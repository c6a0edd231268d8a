import { PointLogUnavailableError } from '#libs/point-log';
import { type ErrorDetail } from '#libs/contracts';
import { AppError } from '../../common/errors/app-error.js';
import { BodyCutError } from '../../common/http/http.errors.js';
import { RateLimitedError } from '../../common/http/rate-limits.js';

/** The resource that is full when a sender is asked to slow down. */
export type BusyReason = 'queue_full' | 'backlog_full' | 'memory_full';

const BUSY: Readonly<Record<BusyReason, { message: string; retrySeconds: number }>> = {
  queue_full: { message: 'The queue of points to be written is full.', retrySeconds: 2 },
  backlog_full: { message: 'Too many points are waiting for analysis.', retrySeconds: 5 },
  memory_full: { message: 'Too many bodies are being read at the same time.', retrySeconds: 1 },
};

const STORAGE_RETRY_SECONDS = 5;

/** More data arrives than can be accepted: the sender must slow down. Nothing of the body was stored. */
export class IngestBusyError extends AppError {
  constructor(readonly reason: BusyReason) {
    super('rate_limited', BUSY[reason].message, [], BUSY[reason].retrySeconds);
  }
}

/** The body was not stored, or the outcome is unknown: it is safe to send it again. */
export class PointsNotStoredError extends AppError {
  constructor() {
    super('not_ready', 'The points could not be stored; send them again.', [], STORAGE_RETRY_SECONDS);
  }
}

/** An unknown sender sends more than is read of such senders. */
export class TokenNotAtBeginningError extends AppError {
  constructor(limitBytes: number) {
    super(
      'too_large',
      `Bodies over ${String(limitBytes)} bytes need their token in a header, or as a member "key" at their beginning.`,
    );
  }
}

/** Parameters of the query string are wrong; the message is the first problem, as for members of a body. */
export class IngestParameterError extends AppError {
  constructor(details: readonly ErrorDetail[]) {
    const more = details.length > 1 ? ` (and ${String(details.length - 1)} more)` : '';
    super('validation_failed', `${details[0]?.message ?? ''}${more}`, details);
  }
}

export class IngestTokenMissingError extends AppError {
  constructor() {
    super(
      'not_authenticated',
      'Sending data needs a token with the permission "ingest", in X-Auth-Token or Authorization.',
    );
  }
}

/** Why a whole body was refused, for metrics: the full resource, how the body ended, or the code of the answer. */
export function rejectionReason(error: unknown): string {
  if (error instanceof IngestBusyError || error instanceof BodyCutError) return error.reason;
  if (error instanceof RateLimitedError) return 'rate_limited';
  if (error instanceof PointsNotStoredError) return 'storage_away';
  return error instanceof AppError ? error.code : 'internal_error';
}

/** SQLSTATE classes of a database that is unavailable, stopping, full or busy, and errors of the network. */
const PASSING_CODE = /^(08|40|53|55|57|58)|^E[A-Z]+$/;
/** Messages of the driver that have no code. */
const PASSING_MESSAGE = /connection terminated|timeout exceeded|read timeout|not queryable|connection error|is closed/i;

/** Whether an error of the storage is temporary, so that a retry makes sense. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof PointLogUnavailableError) return true;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? PASSING_CODE.test(found) : PASSING_MESSAGE.test(error.message);
}
