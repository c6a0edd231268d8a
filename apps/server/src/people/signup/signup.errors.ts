import { AppError } from '../../common/errors/app-error.js';

export class SignupClosedError extends AppError {
  constructor() {
    super('signup_closed', 'Sign-up is closed here; ask an administrator for an invitation.');
  }
}
