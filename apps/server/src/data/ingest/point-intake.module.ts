import { Module } from '@nestjs/common';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DetectionBacklogModule } from '../detection-backlog/detection-backlog.module.js';
import { ExclusionModule } from '../exclusion/exclusion.module.js';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { PointCountModule } from '../point-count/point-count.module.js';
import { BodyBudget } from './body-budget.service.js';
import { ExclusionGuard } from './exclusion-guard.service.js';
import { IngestAdmission } from './ingest-admission.service.js';
import { IngestGate } from './ingest-gate.service.js';
import { IngestLimits } from './ingest-limits.service.js';
import { IngestStorage } from './ingest-storage.service.js';
import { IngestTelemetry } from './ingest-telemetry.service.js';
import { PointIntake } from './point-intake.service.js';
import { PointWriter } from './point-writer.service.js';
import { RefusalEvents } from './refusal-events.service.js';
import { StoredPoints } from './stored-points.service.js';
import { TestMetricsModule } from './test-metrics.module.js';

/** Takes points in without routes and parsers of its own: what the role `api` needs of the area, and the rest builds upon. */
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
    BodyBudget,
    ExclusionGuard,
    IngestAdmission,
    IngestGate,
    IngestLimits,
    IngestStorage,
    IngestTelemetry,
    PointIntake,
    PointWriter,
    RefusalEvents,
    StoredPoints,
  ],
  exports: [
    BodyBudget,
    IngestAdmission,
    IngestGate,
    IngestLimits,
    IngestStorage,
    IngestTelemetry,
    PointIntake,
    PointWriter,
    RefusalEvents,
    StoredPoints,
  ],
})
export class PointIntakeModule {}
