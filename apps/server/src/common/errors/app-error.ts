import { ERROR_STATUS, type ErrorCode, type ErrorDetail } from '#libs/contracts';

/**
 * An error that the API answers with a code of the catalogue. Areas subclass it in `<area>.errors.ts`; the message is
 * for people and states the given value and the allowed ones.
 */
export class AppError extends Error {
  readonly httpStatus: number;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** Answered as `Retry-After`. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = new.target.name;
    this.httpStatus = ERROR_STATUS[code];
  }
}

export class NotFoundError extends AppError {
  constructor(message = 'There is nothing at this address.', details: readonly ErrorDetail[] = []) {
    super('not_found', message, details);
  }
}

/** Reports each field once, with the first of its problems: rules are applied in order, the most basic one first. */
export class ValidationFailedError extends AppError {
  /** @param placeOf the place of a problem, of which one problem is reported: the field, unless it holds a document */
  constructor(details: readonly ErrorDetail[], placeOf = ({ field }: ErrorDetail): string => field) {
    const reported = new Set<string>();
    const first = details.filter((detail) => !reported.has(placeOf(detail)) && reported.add(placeOf(detail)));
    const count = first.length;
    super('validation_failed', `The request has ${String(count)} problem${count === 1 ? '' : 's'}.`, first);
  }
}
