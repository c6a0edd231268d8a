import { NotFoundError } from '../../common/errors/app-error.js';

export class AdminAlertNotFoundError extends NotFoundError {
  constructor() {
    super('There is no such admin alert: use a number from 1 to 5, or its code.');
  }
}
