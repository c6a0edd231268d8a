import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { ProgressRepository } from './progress.repository.js';

const EVERY_MS = 3_600_000;
/** Jobs that are over are shown for this long. */
const KEPT_SECONDS = 90 * DAY;

/** Drops what is over long ago, once an hour. Several processes may be at it: each row is dropped once. */
@Injectable()
export class ProgressHousekeeping extends RecurringWork {
  constructor(
    private readonly progress: ProgressRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Old progress could not be dropped', role: 'api' });
  }

  async run(): Promise<void> {
    await this.progress.forgetOld(new Date((this.clock.now() - KEPT_SECONDS) * 1000));
  }
}
