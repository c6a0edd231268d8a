import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { OrgPointCountRepository } from './org-point-count.repository.js';
import { POINT_COUNTS_FINE_SECONDS, POINT_COUNTS_KEPT_SECONDS } from './point-counts.service.js';

const EVERY_MS = 3_600_000;

/** Keeps the counts of points small, once an hour. Several processes may do it: each step can be repeated. */
@Injectable()
export class PointCountHousekeeping extends RecurringWork {
  constructor(
    private readonly counts: OrgPointCountRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Counts of points could not be merged', role: 'detect' });
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await this.counts.dropBefore(now - POINT_COUNTS_KEPT_SECONDS);
    await this.counts.mergeBefore(now - POINT_COUNTS_FINE_SECONDS);
  }
}
