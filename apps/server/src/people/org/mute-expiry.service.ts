import { Injectable } from '@nestjs/common';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { OrgService } from './org.service.js';

/** Ends mutings that have expired. Several processes may do it: each muting is ended and reported only once. */
@Injectable()
export class MuteExpiryService {
  constructor(
    private readonly orgs: OrgService,
    private readonly events: EventRecorderService,
  ) {}

  @Housekeeping({ everyMs: 15_000, failure: 'Expired mutes could not be ended', role: 'detect' })
  async endExpired(now: number): Promise<void> {
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
