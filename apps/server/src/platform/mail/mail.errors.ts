import { AppError } from '../../common/errors/app-error.js';

export class MailNotConfiguredError extends AppError {
  constructor() {
    super('not_configured', 'This service cannot send mail: no mail server is set up (SMTP_HOST).');
  }
}

/**
 * The mail server did not accept a mail that had to be sent immediately. The reason is in the log, not in the answer.
 */
export class MailUnavailableError extends AppError {
  constructor() {
    super('not_configured', 'The mail could not be sent now. Try again in a few minutes.');
  }
}

/** A mail that the server did not accept, or that could not be handed over to it. */
export class MailRefusedError extends Error {
  constructor(
    /** `recipient`: permanent, this mail only. `later`: temporary, this mail only. `server`: temporary, all mails. */
    readonly kind: 'recipient' | 'later' | 'server',
    /** Without addresses and contents: for logs and operators. */
    reason: string,
  ) {
    super(reason);
    this.name = new.target.name;
  }
}
