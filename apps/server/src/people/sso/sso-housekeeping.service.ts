import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { SsoRepository } from './sso.repository.js';

const EVERY_MS = 600_000;

/** Erases logins that did not come back from the provider. Every process may do it: it can be repeated freely. */
@Injectable()
export class SsoHousekeeping extends RecurringWork {
  constructor(
    private readonly logins: SsoRepository,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Unfinished logins could not be erased', role: 'api' });
  }

  async run(): Promise<void> {
    await this.logins.forgetExpiredLogins(this.clock.now());
  }
}
