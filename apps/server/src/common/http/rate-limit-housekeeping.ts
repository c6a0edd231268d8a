import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '../errors/message-of.js';
import { SharedRateLimitStore } from './rate-limit-counts.repository.js';

const FORGET_EVERY_SECONDS = 300;

/** Erases counters that are over. Every process may do it: it can be repeated freely. */
@Injectable()
export class RateLimitHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RateLimitHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly store: SharedRateLimitStore) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running = this.forget();
    }, FORGET_EVERY_SECONDS * 1000);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async forget(): Promise<void> {
    try {
      await this.store.forgetExpired();
    } catch (error) {
      this.logger.warn(`Old counters of limits could not be erased; it is tried again: ${messageOf(error)}`);
    }
  }
}
