import { Injectable } from '@nestjs/common';
import { RecurringWork } from '../../common/recurring-work.js';
import { DemoVisitors } from './demo-visitors.service.js';

const EVERY_MS = 3_600_000;

/** Deletes visitors of the demo after their seven days, once an hour. Several processes may be at it. */
@Injectable()
export class DemoHousekeeping extends RecurringWork {
  constructor(private readonly visitors: DemoVisitors) {
    super({ everyMs: EVERY_MS, failure: 'Old visitors could not be deleted', role: 'api' });
  }

  async run(): Promise<void> {
    await this.visitors.forgetOld();
  }
}
