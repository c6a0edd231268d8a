import { Injectable } from '@nestjs/common';
import { RecurringWork } from '../../common/recurring-work.js';
import { AuditTrailRepository } from './audit-trail.repository.js';

const EVERY_MS = 3_600_000;
const STEP = 10_000;

/** Drops entries older than 400 days, once an hour. Two processes may be at it: each row is dropped once. */
@Injectable()
export class AuditHousekeeping extends RecurringWork {
  constructor(private readonly entries: AuditTrailRepository) {
    super({ everyMs: EVERY_MS, failure: 'Old audit entries could not be dropped', role: 'detect' });
  }

  async run(): Promise<void> {
    await this.repeat(STEP, () => this.entries.forgetExpired(STEP));
  }
}
