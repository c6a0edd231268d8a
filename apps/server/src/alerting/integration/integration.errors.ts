import { AppError, NotFoundError } from '../../common/errors/app-error.js';
import { shownName } from '../../common/validation/param-message.js';

export class ServiceNotFoundError extends NotFoundError {
  constructor(id: string) {
    super(`There is no integration ${shownName(id)}; GET /integration/list lists all.`);
  }
}

export class IntegrationNotConfiguredError extends AppError {
  /** @param what the missing setting, as a sentence */
  constructor(what: string) {
    super('not_configured', what);
  }
}
