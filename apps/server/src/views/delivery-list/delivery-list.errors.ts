import { AppError, NotFoundError } from '../../common/errors/app-error.js';

export class DeliveryNotFoundError extends NotFoundError {
  constructor(id: number) {
    super(`There is no delivery ${String(id)}.`);
  }
}

export class DeliverySubjectNotFoundError extends NotFoundError {
  constructor(subject: 'watcher' | 'anomaly' | 'incident', id: number) {
    super(`There is no ${subject} ${String(id)}.`);
  }
}

export class DeliverySuppressedError extends AppError {
  constructor(id: number) {
    super('state_conflict', `Delivery ${String(id)} was suppressed, so there is nothing to send again.`);
  }
}
