import { type ErrorDetail } from '#libs/contracts';

/** Position of a problem in a body. */
export interface BodyPosition {
  /** From 1. */
  line?: number;
  /** Bytes from the start of the body, from 0. */
  offset?: number;
}

/**
 * The whole body is refused; nothing is stored. `malformed_body`: its syntax is broken. `validation_failed`:
 * well-formed, but members are wrong; `details` lists them.
 */
export class MalformedBodyError extends Error {
  readonly code: 'malformed_body' | 'validation_failed';

  constructor(
    problem: string,
    readonly position: BodyPosition = {},
    readonly details: ErrorDetail[] = [],
  ) {
    super(`${problem}${describePosition(position)}`);
    this.name = 'MalformedBodyError';
    this.code = details.length > 0 ? 'validation_failed' : 'malformed_body';
  }
}

/** The body contains more than one request may. */
export class BodyTooLargeError extends Error {
  constructor(
    what: string,
    readonly limit: number,
  ) {
    super(`The body holds more than ${limit} ${what}; send it in several requests`);
    this.name = 'BodyTooLargeError';
  }
}

function describePosition(position: BodyPosition): string {
  if (position.line !== undefined) return ` (line ${position.line})`;
  return position.offset === undefined ? '' : ` (byte ${position.offset})`;
}
