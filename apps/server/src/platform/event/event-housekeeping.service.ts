import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { EventRecordingRepository } from './event-recording.repository.js';
import { EVENTS_KEPT_SECONDS } from './event.types.js';

const EVERY_MS = 3_600_000;
const STEP = 10_000;

/** Drops events that are too old, once an hour. Two processes may be at it: each row is dropped once. */
@Injectable()
export class EventHousekeeping extends RecurringWork {
  constructor(
    private readonly events: EventRecordingRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Old events could not be dropped', role: 'detect' });
  }

  async run(): Promise<void> {
    const before = this.clock.now() - EVENTS_KEPT_SECONDS;
    await this.repeat(STEP, () => this.events.dropBefore(before, STEP));
  }
}
