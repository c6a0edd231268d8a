import { type BeforeApplicationShutdown, Inject, Logger, type OnApplicationBootstrap, Optional } from '@nestjs/common';
import { type Role, ServerConfig } from './config/server.config.js';
import { messageOf } from './errors/message-of.js';

export interface Rhythm {
  /** From the end of one round to the beginning of the next. */
  everyMs: number;
  /** From the start of the process to the first round; without it as long as between rounds. */
  firstAfterMs?: number;
  /** Log message when a round fails. */
  failure: string;
  level?: 'warn' | 'error';
  /** Of failures in a row the first is logged, and then every so many; without it, each one. */
  logEvery?: number;
  /** Only processes with this role do it; without one, every server process does. The command line never does. */
  role?: Role;
}

/**
 * Recurring work of the service itself while the process runs: one round at a time, and failed work is retried in the
 * next. A stop waits for the running round.
 */
export abstract class RecurringWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  /** Long rounds end early then. */
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

  /** @param server where Nest does not make the object */
  protected constructor(
    private readonly rhythm: Rhythm,
    server?: ServerConfig,
  ) {
    if (server) this.server = server;
  }

  /** One round. */
  abstract run(): Promise<unknown>;

  /** Whether this process does it at all. */
  protected isWanted(): boolean {
    const roles = this.server?.roles;
    if (roles === undefined) return true;
    const { role } = this.rhythm;
    return role === undefined ? roles.length > 0 : roles.includes(role);
  }

  /** Begins the rounds. A subclass may do something before and answer a promise: the start of the process waits for it. */
  onApplicationBootstrap(): unknown {
    if (this.isWanted()) this.schedule(this.rhythm.firstAfterMs ?? this.rhythm.everyMs);
    return undefined;
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

  /** Milliseconds from the end of the round that has just ended to the beginning of the next. */
  protected pauseMs(): number {
    return this.rhythm.everyMs;
  }

  /** Milliseconds from the end of the round that has just ended to the beginning of one that is asked for by `runSoon`. */
  protected restMs(): number {
    return 0;
  }

  /** There is something to do: the next round begins now, or once the one under way and its rest are over. */
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
      // Requests from now on may be too late for this round.
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
