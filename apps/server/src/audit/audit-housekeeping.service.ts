import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { messageOf } from '../common/errors/message-of.js';
import { AuditTrailRepository } from './audit-trail.repository.js';

const EVERY_MS = 3_600_000;
const STEP = 10_000;

/** Drops entries older than 400 days, once an hour. Two processes may be at it: each row is dropped once. */
@Injectable()
export class AuditHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AuditHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly entries: AuditTrailRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.drop(), EVERY_MS);
    this.timer.unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async drop(): Promise<void> {
    try {
      while ((await this.entries.forgetExpired(STEP)) === STEP);
    } catch (error) {
      this.logger.warn(`Old audit entries could not be dropped; the next try is in an hour: ${messageOf(error)}`);
    }
  }
}
