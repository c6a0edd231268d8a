import { Module } from '@nestjs/common';
import { ExpectationModule } from '../../analysis/expectation/expectation.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AlertModule } from '../alert/alert.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { PastAlertsService } from './past-alerts.service.js';
import { PastBreachesService } from './past-breaches.service.js';
import { PastStepsService } from './past-steps.service.js';

/**
 * Simulates which alerts watchers would have sent in the past, from stored points and anomalies. AlertPlanModule does
 * the planning itself.
 */
@Module({
  imports: [AlertModule, AlertPlanModule, ExpectationModule, MetricModule, OrgModule, WatcherModule],
  providers: [PastAlertsService, PastBreachesService, PastStepsService],
  exports: [PastAlertsService, PastBreachesService],
})
export class PastAlertsModule {}
