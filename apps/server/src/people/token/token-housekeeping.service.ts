import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { TokenDirectory } from './token-directory.service.js';

const WRITE_USES_EVERY_SECONDS = 30;

/** Writes last uses in batches. */
@Injectable()
export class TokenHousekeeping implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenHousekeeping.name);

  constructor(private readonly directory: TokenDirectory) {}

  onApplicationBootstrap(): void {
    this.directory.uses.start(WRITE_USES_EVERY_SECONDS, (error) => this.report(error));
  }

  async beforeApplicationShutdown(): Promise<void> {
    // They are for people to look at, which is no reason to stop uncleanly.
    await this.directory.uses.stop().catch((error: unknown) => this.report(error));
  }

  private report(error: unknown): void {
    this.logger.warn({ err: error }, 'The times of last use of tokens could not be written.');
  }
}
