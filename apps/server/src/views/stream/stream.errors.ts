import { AppError } from '../../common/errors/app-error.js';

const RETRY_AFTER_SECONDS = 30;

export class TooManyStreamsError extends AppError {
  constructor(whose: 'party' | 'organisation', limit: number) {
    const of = whose === 'party' ? 'this user or token' : 'the organisation';
    super(
      'rate_limited',
      `There are ${String(limit)} event streams of ${of} already, which is the limit; end one of them first.`,
      [],
      RETRY_AFTER_SECONDS,
    );
  }
}
