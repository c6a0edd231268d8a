import { Injectable } from '@nestjs/common';
import { RecurringWork } from '../../common/recurring-work.js';
import { AccountLinks } from '../user/account-links.service.js';
import { KnownClientsService } from './known-clients.service.js';
import { SessionService } from './session.service.js';

const WRITE_USES_EVERY_SECONDS = 30;
const FORGET_EVERY_MS = 3_600_000;

/** Writes last uses in batches and erases what is long over. Every process may do it: both can be repeated freely. */
@Injectable()
export class SessionHousekeeping extends RecurringWork {
  constructor(
    private readonly sessions: SessionService,
    private readonly clients: KnownClientsService,
    private readonly links: AccountLinks,
  ) {
    super({ everyMs: FORGET_EVERY_MS, failure: 'Old sessions and links could not be erased' });
  }

  override onApplicationBootstrap(): void {
    this.sessions.uses.start(WRITE_USES_EVERY_SECONDS, (error) => this.report(error));
    super.onApplicationBootstrap();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    // Without them sessions end a little early, which is no reason to stop uncleanly.
    await this.sessions.uses.stop().catch((error: unknown) => this.report(error));
  }

  async run(): Promise<void> {
    await this.sessions.forgetDead();
    await this.clients.forgetExpired();
    await this.links.forgetExpired();
  }

  private report(error: unknown): void {
    this.logger.warn({ err: error }, 'The times of last use of sessions could not be written.');
  }
}
