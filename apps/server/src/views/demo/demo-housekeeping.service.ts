import { Injectable } from '@nestjs/common';
import { RecurringWork } from '../../common/recurring-work.js';
import { DemoVisits } from './demo-visits.service.js';

const EVERY_MS = 3_600_000;

/** Deletes visitors of the demo after their seven days, once an hour. Several processes may be at it. */
@Injectable()
export class DemoHousekeeping extends RecurringWork {
  constructor(private readonly visits: DemoVisits) {
    super({ everyMs: EVERY_MS, failure: 'Old visitors could not be deleted', role: 'api' });
  }

  async run(): Promise<void> {
    await this.visits.forgetOld();
  }
}
