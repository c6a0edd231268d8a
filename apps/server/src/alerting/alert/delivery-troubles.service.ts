import { Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../common/errors/message-of.js';
import { AlertRecordsRepository } from './alert-records.repository.js';
import { type DeliveryTrouble } from './alert.types.js';

type Listener = (trouble: DeliveryTrouble) => unknown;

/** Queues in which messages were given up, and those that work again. */
@Injectable()
export class DeliveryTroublesService {
  private readonly logger = new Logger(DeliveryTroublesService.name);
  private readonly listeners: Listener[] = [];

  constructor(private readonly records: AlertRecordsRepository) {}

  /**
   * `listener` is called in the process that gave up a message, and in the one that sent the first message after that. A
   * process that dies may not call it: `list` returns the same at any time.
   */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** The queues of an organisation whose last message was given up. */
  list(orgId: number): Promise<DeliveryTrouble[]> {
    return this.records.listTroubles(orgId);
  }

  async report(trouble: DeliveryTrouble): Promise<void> {
    for (const listener of this.listeners) {
      try {
        await listener(trouble);
      } catch (error) {
        this.logger.warn(`A failed delivery could not be reported: ${messageOf(error)}`);
      }
    }
  }
}
