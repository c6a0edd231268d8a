import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY, dateOf, HOUR } from '../../common/time.js';
import { ThresholdRepository } from './threshold.repository.js';
import { CHANGES_KEPT_DAYS } from './threshold.types.js';

const BATCH = 1000;

/** Forgets breaches and recoveries as their alerts are forgotten. */
@Injectable()
export class ThresholdHousekeeping extends RecurringWork {
  constructor(
    private readonly thresholds: ThresholdRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: HOUR * 1000, failure: 'Old breaches of thresholds could not be forgotten', role: 'detect' });
  }

  async run(): Promise<void> {
    const before = dateOf(this.clock.now() - CHANGES_KEPT_DAYS * DAY);
    await this.repeat(BATCH, () => this.thresholds.forgetBefore(before, BATCH));
  }
}
