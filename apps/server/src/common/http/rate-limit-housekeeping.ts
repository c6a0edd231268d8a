import { Injectable } from '@nestjs/common';
import { RecurringWork } from '../recurring-work.js';
import { SharedRateLimitStore } from './rate-limit-counts.repository.js';

const FORGET_EVERY_SECONDS = 300;

/** Erases counters that are over. Every process may do it: it can be repeated freely. */
@Injectable()
export class RateLimitHousekeeping extends RecurringWork {
  constructor(private readonly store: SharedRateLimitStore) {
    super({ everyMs: FORGET_EVERY_SECONDS * 1000, failure: 'Old counters of limits could not be erased' });
  }

  async run(): Promise<void> {
    await this.store.forgetExpired();
  }
}
