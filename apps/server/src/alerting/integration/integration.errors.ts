import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class ServiceNotFoundError extends NotFoundError {
  constructor() {
    super('There is no such integration.');
  }
}

export class IntegrationNotConfiguredError extends AppError {
  /** @param what the missing setting, as a sentence */
  constructor(what: string) {
    super('not_configured', what);
  }
}
