import { Injectable, Logger } from '@nestjs/common';
import { messageOf } from '../errors/message-of.js';
import { ReadinessRegistry } from './readiness.js';

/** The process is ready after this time at the latest: slow answers are better than none. */
const LONGEST_SECONDS = 30;

/**
 * Does the work that makes first answers slow before the process reports that it is ready: threads, modules, fonts,
 * connections. Areas register named work; the server starts it and GET /readyz waits for it.
 */
@Injectable()
export class WarmUp {
  private readonly logger = new Logger(WarmUp.name);
  private readonly work = new Map<string, () => Promise<unknown>>();
  private readonly waitingFor = new Set<string>();

  constructor(private readonly readiness: ReadinessRegistry) {}

  register(name: string, work: () => Promise<unknown>): void {
    if (this.work.has(name)) throw new Error(`The warm-up ${name} is registered twice`);
    this.work.set(name, work);
  }

  /**
   * Runs all work concurrently. Call it once. Work that fails is logged; neither a failure nor slow work delays the
   * start.
   * @param longestMs for tests
   */
  async run(longestMs = LONGEST_SECONDS * 1000): Promise<void> {
    for (const name of this.work.keys()) this.waitingFor.add(name);
    this.readiness.register('warm-up', () => {
      if (this.waitingFor.size > 0) throw new Error(`warming up: ${[...this.waitingFor].join(', ')}`);
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestMs).unref();
    });
    await Promise.race([Promise.all([...this.work].map((entry) => this.runOne(...entry))), tooLong]);
    clearTimeout(timer);
    if (this.waitingFor.size > 0) this.logger.warn(`Still warming up: ${[...this.waitingFor].join(', ')}`);
    this.waitingFor.clear();
  }

  private async runOne(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`Warming up ${name} failed, the first answer will be slow: ${messageOf(error)}`);
    }
    this.waitingFor.delete(name);
  }
}
