import { NotFoundError } from '../common/errors/app-error.js';

export class OrgNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no organisation ${String(id)}.`);
  }
}
