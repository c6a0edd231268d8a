import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ServerConfig } from '../../common/config/server.config.js';
import { productVersion } from '../../common/product-version.js';
import { InstallationReport } from '../../common/telemetry/installation-report.js';
import { DetectionBacklogService } from '../../data/detection-backlog/detection-backlog.service.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { diskSpace } from './disk-space.js';
import { InstallationCountsRepository } from './installation-counts.repository.js';
import { type InstallationSummary } from './installation-summary.types.js';

/** Load and backlog of the installation, for `plumbline status`. */
@Injectable()
export class InstallationSummaryService implements OnModuleInit {
  private readonly version = productVersion();

  constructor(
    private readonly counts: InstallationCountsRepository,
    private readonly backlog: DetectionBacklogService,
    private readonly mailer: MailerService,
    private readonly clock: Clock,
    private readonly config: ServerConfig,
    private readonly report: InstallationReport,
  ) {}

  onModuleInit(): void {
    this.report.provide(() => this.read());
  }

  /** Queries the database at each call. */
  async read(): Promise<InstallationSummary> {
    const [counts, mails, disk] = await Promise.all([
      this.counts.countAll(),
      this.mailer.waiting(),
      diskSpace(this.config.dataFolder),
      this.backlog.run(),
    ]);
    const age = (at: number | null): number | null => (at === null ? null : Math.max(0, this.clock.now() - at));
    return {
      version: this.version,
      uptime_seconds: Math.floor(process.uptime()),
      backlog_points: this.backlog.points,
      lag_seconds: this.backlog.lagSeconds,
      last_point_timestamp: counts.lastPointAt,
      last_point_age_seconds: age(counts.lastPointAt),
      open_anomalies: counts.openAnomalies,
      organisations: counts.organisations,
      metrics: counts.metrics,
      database_bytes: counts.databaseBytes,
      data_folder: disk?.folder ?? null,
      disk_free_bytes: disk?.free ?? null,
      disk_size_bytes: disk?.size ?? null,
      mail_configured: this.mailer.isConfigured,
      mails_waiting: mails.count,
      oldest_mail_age_seconds: age(mails.since),
      alerts_waiting: counts.alertsWaiting,
      oldest_alert_age_seconds: age(counts.oldestAlertAt),
      alerts_given_up: counts.alertsGivenUp,
    };
  }
}
