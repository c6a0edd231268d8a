import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type MaintenanceReport } from '#libs/series';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { messageOf } from '../../common/errors/message-of.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { RetentionPlans } from './retention-plans.service.js';
import { SeriesMaintenanceExecutor } from './series-maintenance-executor.js';

/** First key of its advisory lock. */
const LOCK_SPACE = DATABASE_LOCKS.maintenanceRun.number;
const EVERY_MS = 5000;
/** After a run that found something to do there may be more. */
const SOON_MS = 200;
const RETENTION_AFTER_MS = 60_000;
const RETENTION_EVERY_MS = 3_600_000;
/** Of failures in a row the first is logged, and then every so many. */
const LOG_EVERY = 60;

/**
 * Keeps the series store small and quick, in one process of the installation: puts recent points together to compressed
 * blocks, rewrites closed days, and drops, once an hour, what is older than its organisation keeps it.
 */
@Injectable()
export class SeriesMaintenanceService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SeriesMaintenanceService.name);
  private readonly telemetry: Telemetry;
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();
  private retentionDueAt = 0;
  private failures = 0;

  constructor(
    private readonly executor: SeriesMaintenanceExecutor,
    private readonly plans: RetentionPlans,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
    private readonly server: ServerConfig,
    metrics: MetricsRegistry,
  ) {
    this.telemetry = new Telemetry(metrics);
  }

  onApplicationBootstrap(): void {
    if (!this.server.roles.includes('detect')) return;
    this.retentionDueAt = performance.now() + RETENTION_AFTER_MS;
    this.schedule(EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    // What is under way is rolled back by the database and done again at the next start.
    await this.executor.close();
    await this.running;
  }

  /** Answers whether this process did it; another one may be at it. */
  applyRetention(): Promise<boolean> {
    return this.locks.runAlone(LOCK_SPACE, 0, async () => {
      await this.executor.retire(this.clock.now(), await this.plans.ofInstallation());
    });
  }

  /** Answers what was done; null when another process is at it. */
  async maintain(): Promise<MaintenanceReport | null> {
    let report: MaintenanceReport | null = null;
    await this.locks.runAlone(LOCK_SPACE, 0, async () => {
      report = await this.executor.maintain(this.clock.now());
    });
    return report;
  }

  private schedule(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.running = this.run().then((next) => {
        if (!this.isStopping) this.schedule(next);
      });
    }, milliseconds);
    this.timer.unref();
  }

  private async run(): Promise<number> {
    const startedAt = performance.now();
    try {
      const report = await this.maintain();
      if (report) this.telemetry.record(report, (performance.now() - startedAt) / 1000);
      if (performance.now() >= this.retentionDueAt) {
        this.retentionDueAt = performance.now() + RETENTION_EVERY_MS;
        await this.applyRetention();
      }
      this.failures = 0;
      const hasWorked = report !== null && report.foldedPoints + report.compactedDays > 0;
      return hasWorked ? SOON_MS : EVERY_MS;
    } catch (error) {
      if (this.isStopping) return EVERY_MS;
      this.telemetry.failures.inc();
      if (this.failures++ % LOG_EVERY === 0) {
        this.logger.error(`Stored points could not be compressed; it will be retried: ${messageOf(error)}`);
      }
      return EVERY_MS;
    }
  }
}

class Telemetry {
  readonly failures: Counter;
  private readonly folded: Counter;
  private readonly blocks: Counter;
  private readonly bytes: Counter;
  private readonly days: Counter;
  private readonly seconds: Counter;
  private readonly recent: Gauge;

  constructor(metrics: MetricsRegistry) {
    const registers = [metrics.prometheus];
    const counter = (name: string, help: string) => new Counter({ name, help, registers });
    this.failures = counter('plumbline_series_maintenance_failures_total', 'Runs of storage maintenance that failed');
    this.folded = counter('plumbline_series_folded_points_total', 'Stored points that were taken from recent chunks');
    this.blocks = counter('plumbline_series_blocks_total', 'Compressed blocks written');
    this.bytes = counter('plumbline_series_block_bytes_total', 'Bytes of the compressed blocks written');
    this.days = counter('plumbline_series_compacted_days_total', 'Closed days rewritten to one block a series');
    this.seconds = counter('plumbline_series_maintenance_seconds_total', 'Time that storage maintenance has run');
    this.recent = new Gauge({
      name: 'plumbline_series_recent_points',
      help: 'Stored points that are not compressed yet',
      registers,
    });
  }

  record(report: MaintenanceReport, seconds: number): void {
    this.folded.inc(report.foldedPoints);
    this.blocks.inc(report.writtenBlocks);
    this.bytes.inc(report.writtenBlockBytes);
    this.days.inc(report.compactedDays);
    this.seconds.inc(seconds);
    this.recent.set(report.recentPoints);
  }
}
