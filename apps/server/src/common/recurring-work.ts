import { type BeforeApplicationShutdown, Inject, Logger, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { type Role, ServerConfig } from './config/server.config.js';
import { messageOf } from './errors/message-of.js';

interface Rhythm {
  /** From the end of one round to the beginning of the next. */
  everyMs: number;
  /** What a line of the log says when a round fails. */
  failure: string;
  level?: 'warn' | 'error';
  /** Only processes with this role do it; without one, every server process does. The command line never does. */
  role?: Role;
}

/**
 * Work of the service itself that comes round again and again while the process runs: one round at a time, and what
 * fails is tried again in the next. A stop waits for the round that is under way.
 */
export abstract class RecurringWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  /** Long rounds end early then. */
  protected isStopping = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  /** Injected beside the constructor, so that no subclass has to pass it on. Undefined where Nest did not make the object. */
  @Optional()
  @Inject(ServerConfig)
  private readonly server?: ServerConfig;

  protected constructor(private readonly rhythm: Rhythm) {}

  /** One round. */
  abstract run(): Promise<unknown>;

  /** Whether this process does it at all. */
  protected isWanted(): boolean {
    const roles = this.server?.roles;
    if (roles === undefined) return true;
    const { role } = this.rhythm;
    return role === undefined ? roles.length > 0 : roles.includes(role);
  }

  onApplicationBootstrap(): void {
    if (this.isWanted()) this.schedule();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Repeats a step until it finds less than it could have taken. */
  protected async repeat(full: number, step: () => Promise<number>): Promise<void> {
    while (!this.isStopping && (await step()) === full);
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.running = this.runAndLog().then(() => {
        if (!this.isStopping) this.schedule();
      });
    }, this.rhythm.everyMs);
    this.timer.unref();
  }

  private async runAndLog(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      const { failure, level = 'warn' } = this.rhythm;
      this.logger[level](`${failure}; it will be retried: ${messageOf(error)}`);
    }
  }
}
