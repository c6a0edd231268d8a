import { Module } from '@nestjs/common';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DetectionBacklogModule } from '../detection-backlog/detection-backlog.module.js';
import { ExclusionModule } from '../exclusion/exclusion.module.js';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { PointCountModule } from '../point-count/point-count.module.js';
import { BodyBudgetService } from './body-budget.service.js';
import { ExclusionGuardService } from './exclusion-guard.service.js';
import { IngestAdmissionService } from './ingest-admission.service.js';
import { IngestGateService } from './ingest-gate.service.js';
import { IngestLimitsService } from './ingest-limits.service.js';
import { IngestStorageService } from './ingest-storage.service.js';
import { IngestTelemetryService } from './ingest-telemetry.service.js';
import { PointIntakeService } from './point-intake.service.js';
import { PointWriterService } from './point-writer.service.js';
import { RefusalEventsService } from './refusal-events.service.js';
import { StoredPointsService } from './ingest.service.js';
import { TestMetricsModule } from './test-metrics.module.js';

/**
 * Accepts points without routes and parsers: the part of the area that the role `api` needs and on which the rest is
 * built.
 */
@Module({
  imports: [
    DetectionBacklogModule,
    EventModule,
    ExclusionModule,
    MetricRegistryModule,
    OrgModule,
    PointCountModule,
    ProgressModule,
    StorageModule,
    TestMetricsModule,
  ],
  providers: [
    BodyBudgetService,
    ExclusionGuardService,
    IngestAdmissionService,
    IngestGateService,
    IngestLimitsService,
    IngestStorageService,
    IngestTelemetryService,
    PointIntakeService,
    PointWriterService,
    RefusalEventsService,
    StoredPointsService,
  ],
  exports: [
    BodyBudgetService,
    IngestAdmissionService,
    IngestGateService,
    IngestLimitsService,
    IngestStorageService,
    IngestTelemetryService,
    PointIntakeService,
    PointWriterService,
    RefusalEventsService,
    StoredPointsService,
  ],
})
export class PointIntakeModule {}
