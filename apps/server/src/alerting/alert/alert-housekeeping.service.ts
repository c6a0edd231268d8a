import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { AlertDeliveryRepository } from './alert-delivery.repository.js';
import { ALERTS_KEPT_DAYS } from './alert.types.js';

const EVERY_MS = 3_600_000;
const STEP = 1000;

/** Drops alerts with which nothing has happened for long, once an hour. Several processes may be at it. */
@Injectable()
export class AlertHousekeeping extends RecurringWork {
  constructor(
    private readonly deliveries: AlertDeliveryRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Old alerts could not be dropped' });
  }

  async run(): Promise<void> {
    const before = this.clock.now() - ALERTS_KEPT_DAYS * DAY;
    await this.repeat(STEP, () => this.deliveries.dropBefore(before, STEP));
  }
}
