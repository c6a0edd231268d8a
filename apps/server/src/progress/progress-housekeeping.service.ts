import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { messageOf } from '../common/errors/message-of.js';
import { ProgressRepository } from './progress.repository.js';

const EVERY_MS = 3_600_000;
/** Jobs that are over are shown for this long. */
const KEPT_SECONDS = 90 * 86_400;

/** Drops what is over long ago, once an hour. Several processes may be at it: each row is dropped once. */
@Injectable()
export class ProgressHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ProgressHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly progress: ProgressRepository,
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
      await this.progress.forgetOld(new Date((this.clock.now() - KEPT_SECONDS) * 1000));
    } catch (error) {
      this.logger.warn(`Old progress could not be dropped; the next try is in an hour: ${messageOf(error)}`);
    }
  }
}
