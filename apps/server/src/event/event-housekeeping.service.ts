import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { messageOf } from '../common/errors/message-of.js';
import { EventRecordingRepository } from './event-recording.repository.js';
import { EVENTS_KEPT_SECONDS } from './event.types.js';

const EVERY_MS = 3_600_000;
const STEP = 10_000;

/** Drops events that are too old, once an hour. Two processes may be at it: each row is dropped once. */
@Injectable()
export class EventHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly events: EventRecordingRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.drop(), EVERY_MS);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async drop(): Promise<void> {
    try {
      const before = this.clock.now() - EVENTS_KEPT_SECONDS;
      while ((await this.events.dropBefore(before, STEP)) === STEP);
    } catch (error) {
      this.logger.warn(`Old events could not be dropped; the next try is in an hour: ${messageOf(error)}`);
    }
  }
}
