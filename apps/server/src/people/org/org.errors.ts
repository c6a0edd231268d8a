import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class OrgNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no organisation ${String(id)}.`);
  }
}

export class ChatNotConnectedError extends AppError {
  constructor() {
    super('not_configured', 'Chat is not connected: an administrator enters its token in the settings.');
  }
}

/** Shows the reason of the provider, but not the request. */
export class ChatFailedError extends AppError {
  constructor(reason: string) {
    super('upstream_failed', `The chat provider did not answer correctly: ${reason}.`);
  }
}
