import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { DAY } from '../../common/time.js';
import { MailOutboxRepository } from './mail-outbox.repository.js';
import { Smtp } from './smtp.service.js';

const EVERY_MS = 3_600_000;
const KEYS_KEPT_SECONDS = 30 * DAY;

/** Deletes the keys of mails that were sent long ago. */
@Injectable()
export class MailHousekeeping extends RecurringWork {
  constructor(
    private readonly outbox: MailOutboxRepository,
    private readonly smtp: Smtp,
    private readonly clock: Clock,
  ) {
    super({ everyMs: EVERY_MS, failure: 'Keys of old mails could not be removed' });
  }

  run(): Promise<void> {
    return this.outbox.forgetKeysBefore(this.clock.now() - KEYS_KEPT_SECONDS);
  }

  protected override isWanted(): boolean {
    return this.smtp.isConfigured && super.isWanted();
  }
}
