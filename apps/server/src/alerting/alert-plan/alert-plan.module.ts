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
import { AlertCoverage } from './alert-coverage.service.js';
import { AlertMessages } from './alert-messages.service.js';
import { AlertBurstEntity, AlertChangeEntity, AlertPlanEntity } from './alert-plan.entity.js';
import { AlertPlanRepository } from './alert-plan.repository.js';
import { AlertPlanner } from './alert-planner.service.js';
import { AlertReplays } from './alert-replays.service.js';
import { AlertSummaries } from './alert-summaries.service.js';
import { AlertSummaryRepository } from './alert-summary.repository.js';
import { AnomalyNoticeRepository } from './anomaly-notice.repository.js';
import { AnomalyNotices } from './anomaly-notices.service.js';
import { BreachMessages } from './breach-messages.service.js';
import { BreachPlanRepository } from './breach-plan.repository.js';
import { BreachPlanner } from './breach-planner.service.js';
import { BreachPlans } from './breach-plans.service.js';
import { PastAnomaliesRepository } from './past-anomalies.repository.js';
import { PlanGathering } from './plan-gathering.service.js';
import { SummaryLetters } from './summary-letters.service.js';
import { WatcherBudgets } from './watcher-budgets.service.js';
import { WatcherPast } from './watcher-past.service.js';

/** Decides what is sent about anomalies, sends reports and keeps budgets; for the role `detect`. */
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
    AlertCoverage,
    AlertMessages,
    AlertPlanRepository,
    AlertPlanner,
    AlertReplays,
    AlertSummaries,
    AlertSummaryRepository,
    AnomalyNoticeRepository,
    AnomalyNotices,
    BreachMessages,
    BreachPlanRepository,
    BreachPlanner,
    BreachPlans,
    PastAnomaliesRepository,
    PlanGathering,
    SummaryLetters,
    WatcherBudgets,
    WatcherPast,
  ],
  exports: [
    AlertMessages,
    AlertPlanRepository,
    AlertPlanner,
    AlertReplays,
    AlertSummaries,
    BreachMessages,
    BreachPlanRepository,
    BreachPlanner,
    PastAnomaliesRepository,
    WatcherBudgets,
    WatcherPast,
  ],
})
export class AlertPlanModule {}
