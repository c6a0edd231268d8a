import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { ExclusionModule } from '../../data/exclusion/exclusion.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { AlertModule } from '../alert/alert.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { WebhookEventsModule } from '../integration/webhook/webhook-events.module.js';
import { ThresholdModule } from '../threshold/threshold.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { AlertBurstRepository } from './alert-burst.repository.js';
import { AlertCoverageService } from './alert-coverage.service.js';
import { AlertMessagesService } from './alert-messages.service.js';
import { AlertBurstEntity, AlertChangeEntity, AlertPlanEntity } from './alert-plan.entity.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { AlertPlannerService } from './alert-planner.service.js';
import { AlertReplaysService } from './alert-replays.service.js';
import { AlertSummariesService } from './alert-summaries.service.js';
import { AlertSummaryRepository } from './alert-summary.repository.js';
import { AnomalyNoticeRepository } from './anomaly-notice.repository.js';
import { AnomalyNoticesService } from './anomaly-notices.service.js';
import { BreachMessagesService } from './breach-messages.service.js';
import { BreachPlanRepository } from './breach-plan.repository.js';
import { BreachPlannerService } from './breach-planner.service.js';
import { BreachPlansService } from './breach-plans.service.js';
import { PastAnomaliesRepository } from './past-anomalies.repository.js';
import { PlanSubjectsService } from './plan-subjects.service.js';
import { SummaryLettersService } from './summary-letters.service.js';
import { WatcherBudgetsService } from './watcher-budgets.service.js';
import { WatcherPastService } from './watcher-past.service.js';

/** Decides which alerts and reports are sent about anomalies, and keeps the budgets; for the role `detect`. */
@Module({
  imports: [
    AlertModule,
    AnomalyModule,
    ChannelModule,
    EventModule,
    ExclusionModule,
    OrgModule,
    TypeOrmModule.forFeature([AlertBurstEntity, AlertChangeEntity, AlertPlanEntity]),
    ThresholdModule,
    UserModule,
    WatcherModule,
    WebhookEventsModule,
  ],
  providers: [
    AlertBurstRepository,
    AlertCoverageService,
    AlertMessagesService,
    AlertPlanRepository,
    AlertPlannerService,
    AlertReplaysService,
    AlertSummariesService,
    AlertSummaryRepository,
    AnomalyNoticeRepository,
    AnomalyNoticesService,
    BreachMessagesService,
    BreachPlanRepository,
    BreachPlannerService,
    BreachPlansService,
    PastAnomaliesRepository,
    PlanSubjectsService,
    SummaryLettersService,
    WatcherBudgetsService,
    WatcherPastService,
  ],
  exports: [
    AlertMessagesService,
    AlertPlanRepository,
    AlertPlannerService,
    AlertReplaysService,
    AlertSummariesService,
    BreachMessagesService,
    BreachPlanRepository,
    BreachPlannerService,
    PastAnomaliesRepository,
    WatcherBudgetsService,
    WatcherPastService,
  ],
})
export class AlertPlanModule {}
