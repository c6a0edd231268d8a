import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../../common/errors/message-of.js';

/** Runs work that an answer must not wait for, because its duration would reveal whether the account exists. */
@Injectable()
export class AfterAnswerService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(AfterAnswerService.name);
  private readonly running = new Set<Promise<void>>();

  /** @param failure log message if the work fails; contains no personal data */
  schedule(failure: string, work: () => Promise<void>): void {
    const task = new Promise<void>((begin) => setImmediate(begin))
      .then(work)
      .catch((error: unknown) => this.logger.warn(`${failure}: ${messageOf(error)}`))
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  /** Resolves when no work is left. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.settled();
  }
}
