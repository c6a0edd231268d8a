import { NotFoundError } from '../../common/errors/app-error.js';

export class MatchNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no match ${String(id)}.`);
  }
}

export class NoMotifError extends NotFoundError {
  constructor(id: number) {
    super(`Match ${String(id)} is of the whole shape, not of a part of it.`);
  }
}
