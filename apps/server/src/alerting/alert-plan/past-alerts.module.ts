import { Module } from '@nestjs/common';
import { ExpectationModule } from '../../analysis/expectation/expectation.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AlertModule } from '../alert/alert.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { PastAlerts } from './past-alerts.service.js';
import { PastBreaches } from './past-breaches.service.js';
import { PastSteps } from './past-steps.service.js';

/** What watchers would have done in the past, over stored points and anomalies. Planning itself is AlertPlanModule's. */
@Module({
  imports: [AlertModule, AlertPlanModule, ExpectationModule, MetricModule, OrgModule, WatcherModule],
  providers: [PastAlerts, PastBreaches, PastSteps],
  exports: [PastAlerts, PastBreaches],
})
export class PastAlertsModule {}
