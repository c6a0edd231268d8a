import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { OrgService } from './org.service.js';

const EVERY_MS = 15_000;

/** Ends mutings whose time is over, four times a minute. Several processes may do it: each muting is ended and reported once. */
@Injectable()
export class OrgHousekeeping extends RecurringWork {
  constructor(
    private readonly orgs: OrgService,
    private readonly events: EventRecorder,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Expired mutes could not be ended', role: 'detect' });
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    for (const { id, mutedUntil } of await this.orgs.endMutings(now)) {
      this.events.record({
        orgId: id,
        type: 'alerts_unmuted',
        level: 'info',
        message: 'Alerts are sent again: the mute has expired.',
        timestamp: mutedUntil,
      });
    }
  }
}
