import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY, dateOf, MINUTE } from '../../common/time.js';
import { DELETED_KEPT_DAYS } from './watcher-writer.service.js';
import { WatcherRepository } from './watcher.repository.js';
import { summaryColumns } from './watchers.service.js';

/** For some days more, a watcher that is restored too late is answered with that reason. */
const REFUSED_DAYS = 7;
const BATCH = 500;

/** Forgets deleted watchers, and recalculates the report times of organisations that have moved to another zone. */
@Injectable()
export class WatcherHousekeeping extends RecurringWork {
  constructor(
    private readonly watchers: WatcherRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: 1000 * MINUTE, failure: 'Watchers could not be tidied up', role: 'detect' });
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    for (const { orgId, id, summaryReportFrequency, timezone } of await this.watchers.listMoved()) {
      await this.watchers.update(orgId, id, summaryColumns(summaryReportFrequency, now, timezone));
    }
    const before = dateOf(now - (DELETED_KEPT_DAYS + REFUSED_DAYS) * DAY);
    await this.repeat(BATCH, () => this.watchers.forgetDeletedBefore(before, BATCH));
  }
}
