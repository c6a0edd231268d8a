import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class SourceNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no source ${String(id)}.`);
  }
}

export class SourceNameTakenError extends AppError {
  constructor(name: string) {
    super('already_exists', `A source named "${name}" already exists.`);
  }
}

export class SourceLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation can have at most ${String(limit)} sources; remove one first.`);
  }
}

export class SourceAddressNotAllowedError extends AppError {
  constructor(why: string) {
    super('address_not_allowed', `url: ${why}.`, [
      { field: 'url', code: 'address_not_allowed', message: `url: ${why}` },
    ]);
  }
}

export class SourceUpstreamError extends AppError {
  constructor(why: string) {
    super('upstream_failed', `The source could not be read: ${why}.`);
  }
}

/** The store of a source did not accept the samples. The message is for people and contains no secret. */
export class SourceWriteError extends Error {
  /**
   * @param isFinal a retry would be refused again
   * @param retryAfterSeconds as requested by the store; null: not requested
   */
  constructor(
    message: string,
    readonly isFinal: boolean,
    readonly retryAfterSeconds: number | null,
  ) {
    super(message);
    this.name = new.target.name;
  }
}
