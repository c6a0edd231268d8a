import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Clock } from '../clock.js';
import { ServerConfig } from '../config/server.config.js';
import { RecurringWork } from '../recurring-work.js';
import { type HousekeepingMethod, type HousekeepingRule, housekeepingRuleOf } from './housekeeping.decorator.js';

/** The list of all housekeeping: each method with `@Housekeeping`, of all providers of the application. */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private tasks: readonly HousekeepingTask[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly clock: Clock,
    @Optional() private readonly server?: ServerConfig,
  ) {}

  /** `AuditTrailRepository.forgetExpired` and so on, sorted. */
  get names(): string[] {
    return this.tasks.map(({ name }) => name).sort();
  }

  onApplicationBootstrap(): void {
    this.tasks = this.find();
    for (const task of this.tasks) task.onApplicationBootstrap();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.beforeApplicationShutdown()));
  }

  private find(): HousekeepingTask[] {
    const instances = new Set<unknown>(this.discovery.getProviders().map(({ instance }) => instance as unknown));
    return [...instances].flatMap((instance) => {
      if (typeof instance !== 'object' || instance === null) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, HousekeepingMethod> | null;
      if (prototype === null) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((method) => {
        const work = prototype[method];
        const rule = work && housekeepingRuleOf(work);
        if (!work || !rule) return [];
        const name = `${instance.constructor.name}.${method}`;
        return [new HousekeepingTask(name, rule, work.bind(instance), this.clock, this.server)];
      });
    });
  }
}

class HousekeepingTask extends RecurringWork {
  protected override readonly logger: Logger;

  constructor(
    readonly name: string,
    private readonly rule: HousekeepingRule,
    private readonly work: HousekeepingMethod,
    private readonly clock: Clock,
    server: ServerConfig | undefined,
  ) {
    super(rule, server);
    this.logger = new Logger(name);
  }

  async run(): Promise<void> {
    const { batch } = this.rule;
    const step = (): Promise<unknown> => this.work(this.clock.now(), batch ?? 0);
    if (batch === undefined) await step();
    else await this.repeat(batch, async () => Number(await step()));
  }
}
