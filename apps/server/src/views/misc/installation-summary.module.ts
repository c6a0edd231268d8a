import { Module } from '@nestjs/common';
import { DetectionBacklogModule } from '../../data/detection-backlog/detection-backlog.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { InstallationCountsRepository } from './installation-counts.repository.js';
import { InstallationSummaryService } from './installation-summary.service.js';
import { OperatorMetricsService } from './operator-metrics.service.js';

/** For every process: each has a management port, and no single role loads the whole area. */
@Module({
  imports: [DetectionBacklogModule, MailModule],
  providers: [InstallationCountsRepository, InstallationSummaryService, OperatorMetricsService],
})
export class InstallationSummaryModule {}
