import { Module } from '@nestjs/common';
import { WatcherModule } from '../../alerting/watcher/watcher.module.js';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { IncidentModule } from '../../analysis/incident/incident.module.js';
import { MatchModule } from '../../teaching/match/match.module.js';
import { PatternModule } from '../../analysis/pattern/pattern.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { EventListModule } from '../event-list/event-list.module.js';
import { OrganisationModule } from '../organisation/organisation.module.js';
import { DashboardWindowService } from './dashboard-window.service.js';
import { DashboardController } from './dashboard.controller.js';
import { MetricDashboardService } from './metric-dashboard.service.js';
import { DashboardListsService, OrgDashboardService } from './org-dashboard.service.js';

/** Annotations and panels for dashboards that read JSON, such as those of Grafana. */
@Module({
  imports: [
    AnomalyModule,
    EventListModule,
    IncidentModule,
    MatchModule,
    MetricModule,
    OrgModule,
    OrganisationModule,
    WatcherModule,
    PatternModule,
  ],
  controllers: [DashboardController],
  providers: [DashboardListsService, DashboardWindowService, MetricDashboardService, OrgDashboardService],
})
export class DashboardModule {}
