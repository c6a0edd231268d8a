import { NotFoundError } from '../../common/errors/app-error.js';
import { shownName } from '../../common/validation/param-message.js';

export class AdminAlertNotFoundError extends NotFoundError {
  constructor(given: string) {
    super(`There is no administrative alert ${shownName(given)}: use a number from 1 to 5, or its code.`);
  }
}
