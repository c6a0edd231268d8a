import { NotFoundError } from '../../common/errors/app-error.js';

export class IncidentNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no incident ${String(id)}.`);
  }
}
