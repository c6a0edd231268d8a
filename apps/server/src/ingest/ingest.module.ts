import { Module } from '@nestjs/common';
import { DetectionBacklogModule } from '../detection/detection-backlog.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { ExclusionGuardModule } from '../exclusion/exclusion-guard.module.js';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { OrgModule } from '../org/org.module.js';
import { ProgressTrackingModule } from '../progress/progress-tracking.module.js';
import { PointCountsModule } from '../org/point-counts.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { BodyBudget } from './body-budget.service.js';
import { GraphiteServer } from './graphite-server.service.js';
import { GraphiteStore } from './graphite-store.service.js';
import { IngestGate } from './ingest-gate.service.js';
import { IngestReceiver } from './ingest-receiver.service.js';
import { IngestSenders } from './ingest-senders.service.js';
import { IngestTelemetry } from './ingest-telemetry.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { RefusalEvents } from './refusal-events.service.js';
import { TestSendsModule } from './test-sends.module.js';

@Module({
  imports: [
    StorageModule,
    MetricRegistryModule,
    OrgModule,
    PointCountsModule,
    DetectionBacklogModule,
    EventRecordingModule,
    ExclusionGuardModule,
    ProgressTrackingModule,
    TestSendsModule,
  ],
  controllers: [IngestController],
  providers: [
    BodyBudget,
    GraphiteServer,
    GraphiteStore,
    IngestGate,
    IngestReceiver,
    IngestSenders,
    IngestService,
    IngestTelemetry,
    RefusalEvents,
  ],
})
export class IngestModule {}
