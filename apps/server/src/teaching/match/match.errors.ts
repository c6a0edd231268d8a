import { NotFoundError } from '../../common/errors/app-error.js';

export class MatchNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no match ${String(id)}.`);
  }
}

export class NoMotifError extends NotFoundError {
  constructor(id: number) {
    super(`Match ${String(id)} matches the whole shape of its pattern: there is no picture of a matching part.`);
  }
}
