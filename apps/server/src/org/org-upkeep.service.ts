import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { RecurringWork } from '../common/recurring-work.js';
import { EventRecorder } from '../event/event-recorder.service.js';
import { OrgPointCountRepository } from './org-point-count.repository.js';
import { OrgService } from './org.service.js';
import { POINT_COUNTS_FINE_SECONDS, POINT_COUNTS_KEPT_SECONDS } from './point-counts.types.js';

const EVERY_MS = 15_000;
const COUNTS_EVERY_SECONDS = 3600;

/**
 * Ends mutings whose time is over, four times a minute, and keeps the counts of points small, once an hour. Two processes
 * may be at it: each muting is ended, and told of, once.
 */
@Injectable()
export class OrgUpkeep extends RecurringWork {
  /** Unix seconds at which the counts were last looked after. */
  private countsAt = -Infinity;

  constructor(
    private readonly orgs: OrgService,
    private readonly counts: OrgPointCountRepository,
    private readonly events: EventRecorder,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Organisations could not be looked after' });
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    for (const { id, mutedUntil } of await this.orgs.endMutings(now)) {
      this.events.record({
        orgId: id,
        type: 'alerts_unmuted',
        level: 'info',
        message: 'Alerts are sent again: the time they were muted for is over.',
        timestamp: mutedUntil,
      });
    }
    if (now - this.countsAt < COUNTS_EVERY_SECONDS) return;
    await this.counts.dropBefore(now - POINT_COUNTS_KEPT_SECONDS);
    await this.counts.mergeBefore(now - POINT_COUNTS_FINE_SECONDS);
    this.countsAt = now;
  }
}
