import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type SeriesStore } from '#libs/series';
import { Clock } from '../common/clock.js';
import { ServerConfig } from '../common/config/server.config.js';
import { AdvisoryLocks } from '../common/database/advisory-locks.js';
import { SERIES_STORE } from './storage.types.js';

/** First key of its advisory lock. */
const LOCK_SPACE = 0x706c_0002;
const FIRST_RUN_MS = 60_000;
const EVERY_MS = 3_600_000;

/** Drops points that are older than their tier keeps them: once an hour, in one process of the installation. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RetentionService.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(SERIES_STORE) private readonly series: SeriesStore,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
    private readonly server: ServerConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.server.roles.includes('detect')) this.schedule(FIRST_RUN_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  /** Answers whether this process did it; another one may be at it. */
  apply(): Promise<boolean> {
    return this.locks.runAlone(LOCK_SPACE, 0, () => this.series.applyRetention(this.clock.now()));
  }

  private schedule(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.running = this.applyAndLog().then(() => {
        if (this.timer) this.schedule(EVERY_MS);
      });
    }, milliseconds);
    this.timer.unref();
  }

  private async applyAndLog(): Promise<void> {
    try {
      await this.apply();
    } catch (error) {
      this.logger.error('Old points could not be dropped; the next try is in an hour', error);
    }
  }
}
