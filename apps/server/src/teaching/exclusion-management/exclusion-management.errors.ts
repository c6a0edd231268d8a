import { AppError, NotFoundError, ValidationFailedError } from '../../common/errors/app-error.js';

export class ExclusionNotFoundError extends NotFoundError {
  /** `field`: the parameter that named it, if it was not the path. */
  constructor(id: number, field?: string) {
    const message = `There is no exclusion ${String(id)}.`;
    super(message, field === undefined ? [] : [{ field, code: 'not_one_of', message }]);
  }
}

export class ExclusionExistsError extends AppError {
  constructor(id: number) {
    super('already_exists', `Exclusion ${String(id)} has the same type, chips and times.`);
  }
}

export class ExclusionLimitReachedError extends AppError {
  constructor(limit: number) {
    super('limit_reached', `An organisation can have at most ${String(limit)} exclusions; remove one first.`);
  }
}

/** Data is refused by the name of its metric, before any other property is known. */
export class MemberChipError extends ValidationFailedError {
  constructor() {
    super([
      {
        field: 'chips',
        code: 'bad_chip',
        message: 'chips of an exclusion of type analysis must be on names and labels, not on @source, @type or @state',
      },
    ]);
  }
}
