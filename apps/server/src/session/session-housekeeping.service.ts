import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AccountLinks } from '../user/account-links.service.js';
import { KnownClientsService } from './known-clients.service.js';
import { SessionService } from './session.service.js';

const WRITE_USES_EVERY_SECONDS = 30;
const FORGET_EVERY_SECONDS = 3600;

/** Writes last uses in batches and erases what is long over. Every process may do it: both can be repeated freely. */
@Injectable()
export class SessionHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SessionHousekeeping.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: SessionService,
    private readonly clients: KnownClientsService,
    private readonly links: AccountLinks,
  ) {}

  onApplicationBootstrap(): void {
    this.sessions.uses.start(WRITE_USES_EVERY_SECONDS, (error) => this.report(error));
    this.timer = setInterval(() => void this.forget(), FORGET_EVERY_SECONDS * 1000);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    // Without them sessions end a little early, which is no reason to stop uncleanly.
    await this.sessions.uses.stop().catch((error: unknown) => this.report(error));
  }

  private report(error: unknown): void {
    this.logger.warn({ err: error }, 'The last uses of sessions could not be written.');
  }

  private async forget(): Promise<void> {
    try {
      await this.sessions.forgetDead();
      await this.clients.forgetExpired();
      await this.links.forgetExpired();
    } catch (error) {
      this.logger.warn({ err: error }, 'Old sessions and links could not be erased; it is tried again in an hour.');
    }
  }
}
