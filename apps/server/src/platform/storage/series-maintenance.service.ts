import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type MaintenanceReport } from '#libs/series';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { RecurringWork } from '../../common/recurring-work.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { RetentionPlansService } from './retention-plans.service.js';
import { SeriesMaintenanceExecutor } from './series-maintenance-executor.js';

/** First key of its advisory lock. */
const LOCK_SPACE = DATABASE_LOCKS.maintenanceRun.number;
const EVERY_MS = 5000;
const SOON_MS = 200;
const RETENTION_AFTER_MS = 60_000;
const RETENTION_EVERY_MS = 3_600_000;
/** Of consecutive failures the first is logged, and then one of this many. */
const LOG_EVERY = 60;

/**
 * Keeps the series store small and fast, in one process of the installation: combines recent points into compressed
 * blocks, rewrites closed days, and once an hour drops data beyond the retention of its organisation.
 */
@Injectable()
export class SeriesMaintenanceService extends RecurringWork {
  private readonly telemetry: Telemetry;
  private nextRetentionAt = 0;
  private hasWorked = false;

  constructor(
    private readonly executor: SeriesMaintenanceExecutor,
    private readonly plans: RetentionPlansService,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
    metrics: MetricsRegistry,
  ) {
    super({
      everyMs: EVERY_MS,
      failure: 'Stored points could not be compressed',
      level: 'error',
      logEvery: LOG_EVERY,
      role: 'detect',
    });
    this.telemetry = new Telemetry(metrics);
  }

  override onApplicationBootstrap(): void {
    this.nextRetentionAt = performance.now() + RETENTION_AFTER_MS;
    super.onApplicationBootstrap();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    const stopped = super.beforeApplicationShutdown();
    // The database rolls back running work, and the next start repeats it.
    await this.executor.close();
    await stopped;
  }

  async run(): Promise<void> {
    this.hasWorked = false;
    try {
      await this.maintainAndRetire();
    } catch (error) {
      if (this.isStopping) return;
      this.telemetry.failures.inc();
      throw error;
    }
  }

  /** Returns true if this process did it; another process may be doing it. */
  applyRetention(): Promise<boolean> {
    return this.locks.runAlone(LOCK_SPACE, 0, async () => {
      await this.executor.retire(this.clock.now(), await this.plans.ofInstallation());
    });
  }

  /** Returns the results; null if another process is doing it. */
  async maintain(): Promise<MaintenanceReport | null> {
    let report: MaintenanceReport | null = null;
    await this.locks.runAlone(LOCK_SPACE, 0, async () => {
      report = await this.executor.maintain(this.clock.now());
    });
    return report;
  }

  /** After a round with work there may be more. */
  protected override pauseMs(): number {
    return this.hasWorked ? SOON_MS : EVERY_MS;
  }

  private async maintainAndRetire(): Promise<void> {
    const startedAt = performance.now();
    const report = await this.maintain();
    if (report) this.telemetry.record(report, (performance.now() - startedAt) / 1000);
    if (performance.now() >= this.nextRetentionAt) {
      this.nextRetentionAt = performance.now() + RETENTION_EVERY_MS;
      await this.applyRetention();
    }
    this.hasWorked = report !== null && report.foldedPoints + report.compactedDays > 0;
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
