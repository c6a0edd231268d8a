import { Module } from '@nestjs/common';
import { AlertModule } from '../../alerting/alert/alert.module.js';
import { ChannelModule } from '../../alerting/channel/channel.module.js';
import { ChatApiModule } from '../../alerting/integration/chat/chat-api.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { IncidentModule } from '../../analysis/incident/incident.module.js';
import { MatchModule } from '../../teaching/match/match.module.js';
import { EventListModule } from '../event-list/event-list.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { OrgOverviewService, OverviewFindingsService } from './org-overview.service.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { BillingModule } from '../../people/billing/billing.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { ChatChannelsService } from './chat-channels.service.js';
import { OrgInfoService } from './org-info.service.js';
import { OrgSummaryRepository } from './org-summary.repository.js';
import { OrgSummaryService } from './org-summary.service.js';
import { OrgUpdateChecksService } from './org-update-checks.service.js';
import { OrgUpdateService } from './org-update.service.js';
import { OrgCountsRepository } from './org-counts.repository.js';
import { OrgCountsService } from './org-counts.service.js';
import { PointCountModule } from '../../data/point-count/point-count.module.js';
import { OrganisationController } from './organisation.controller.js';
import { OrgModule } from '../../people/org/org.module.js';
import { OrganisationBlockModule } from '../../people/organisation-block/organisation-block.module.js';

/** The calls about the organisation as a whole: overview, settings, counts over time. */
@Module({
  imports: [
    AlertModule,
    MetricModule,
    AnomalyModule,
    IncidentModule,
    MatchModule,
    EventListModule,
    ProgressModule,
    AuditModule,
    ChannelModule,
    ChatApiModule,
    EventModule,
    OrgModule,
    OrganisationBlockModule,
    BillingModule,
    PointCountModule,
    UserModule,
  ],
  controllers: [OrganisationController],
  providers: [
    OrgCountsRepository,
    OrgCountsService,
    OrgOverviewService,
    OverviewFindingsService,
    OrgInfoService,
    OrgSummaryService,
    OrgSummaryRepository,
    OrgUpdateChecksService,
    OrgUpdateService,
    ChatChannelsService,
  ],
  exports: [OrgCountsService, OrgSummaryService],
})
export class OrganisationModule {}
