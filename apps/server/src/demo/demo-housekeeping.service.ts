import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '../common/errors/message-of.js';
import { DemoVisits } from './demo-visits.service.js';

const EVERY_MS = 3_600_000;

/** Deletes visitors of the demo after their seven days, once an hour. Several processes may be at it. */
@Injectable()
export class DemoHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DemoHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly visits: DemoVisits) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.forget(), EVERY_MS);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async forget(): Promise<void> {
    try {
      await this.visits.forgetOld();
    } catch (error) {
      this.logger.warn(`Old visitors could not be deleted; the next try is in an hour: ${messageOf(error)}`);
    }
  }
}
