import { type BeforeApplicationShutdown, Inject, Logger, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { type Role, ServerConfig } from './config/server.config.js';
import { messageOf } from './errors/message-of.js';

export interface Rhythm {
  /** Time from the end of one round to the start of the next. */
  everyMs: number;
  /** Time from the start of the process to the first round; default: the time between rounds. */
  firstAfterMs?: number;
  /** Log message when a round fails. */
  failure: string;
  level?: 'warn' | 'error';
  /** Of consecutive failures, the first and then every n-th is logged; default: each one. */
  logEvery?: number;
  /** Only processes with this role run it; default: every server process. The command line never does. */
  role?: Role;
}

/**
 * Recurring work of the service itself while the process runs: one round at a time, and failed work is retried in the
 * next. A stop waits for the running round.
 */
export abstract class RecurringWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  /** Ends long rounds early. */
  protected isStopping = false;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isRunning = false;
  private isRunRequested = false;
  /** `performance.now()` */
  private restUntil = 0;
  private failures = 0;

  /** Injected as a property, so that no subclass has to pass it on. Undefined if Nest did not create the object. */
  @Optional()
  @Inject(ServerConfig)
  private readonly server?: ServerConfig;

  /** @param server if Nest does not create the object */
  protected constructor(
    private readonly rhythm: Rhythm,
    server?: ServerConfig,
  ) {
    if (server) this.server = server;
  }

  /** One round. */
  abstract run(): Promise<unknown>;

  /** True if this process runs the work. */
  protected isWanted(): boolean {
    const roles = this.server?.roles;
    if (roles === undefined) return true;
    const { role } = this.rhythm;
    return role === undefined ? roles.length > 0 : roles.includes(role);
  }

  /**
   * Starts the rounds. A subclass may do something before and return a promise, for which the start of the process
   * waits.
   */
  onApplicationBootstrap(): unknown {
    if (this.isWanted()) this.schedule(this.rhythm.firstAfterMs ?? this.rhythm.everyMs);
    return undefined;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Repeats a step until it finds less than its limit. */
  protected async repeat(full: number, step: () => Promise<number>): Promise<void> {
    while (!this.isStopping && (await step()) === full);
  }

  /**
   * Does the same for each, such as each organisation: a failure for one does not delay the others.
   * @throws the first failure, after all have been processed
   */
  protected async forEach<Item>(items: Iterable<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
    const failures: unknown[] = [];
    for (const item of items) {
      if (this.isStopping) break;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Milliseconds from the end of the last round to the start of the next. */
  protected pauseMs(): number {
    return this.rhythm.everyMs;
  }

  /** Milliseconds from the end of the last round to the start of a round requested by `runSoon`. */
  protected restMs(): number {
    return 0;
  }

  /** Requests a round: it starts now, or after the running one and its pause. */
  protected runSoon(): void {
    if (this.isStopping || this.timer === undefined) return;
    this.isRunRequested = true;
    if (!this.isRunning) this.schedule(this.restUntil - performance.now());
  }

  /** One round whose failure is logged. Never rejects. */
  protected async runAndLog(): Promise<void> {
    try {
      await this.run();
      this.failures = 0;
    } catch (error) {
      const { failure, level = 'warn', logEvery = 1 } = this.rhythm;
      if (this.failures++ % logEvery === 0) this.logger[level](`${failure}; it will be retried: ${messageOf(error)}`);
    }
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      // Later requests may be too late for this round.
      this.isRunRequested = false;
      this.isRunning = true;
      this.running = this.runAndLog().then(() => {
        this.isRunning = false;
        if (this.isStopping) return;
        const rest = this.restMs();
        this.restUntil = performance.now() + rest;
        this.schedule(this.isRunRequested ? rest : this.pauseMs());
      });
    }, milliseconds);
    this.timer.unref();
  }
}
