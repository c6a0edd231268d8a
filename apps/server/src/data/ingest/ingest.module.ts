import { Module } from '@nestjs/common';
import { TokenStrategy } from '../../common/auth/strategies/token.strategy.js';
import { DetectionBacklogModule } from '../detection-backlog/detection-backlog.module.js';
import { ExclusionModule } from '../exclusion/exclusion.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { ExclusionGuard } from './exclusion-guard.service.js';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { PointCountModule } from '../point-count/point-count.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { BodyBudget } from './body-budget.service.js';
import { BodyParser } from './body-parser.service.js';
import { GraphiteServer } from './graphite-server.service.js';
import { GraphiteStore } from './graphite-store.service.js';
import { IngestAdmission } from './ingest-admission.service.js';
import { IngestGate } from './ingest-gate.service.js';
import { IngestLimits } from './ingest-limits.service.js';
import { IngestReceiver } from './ingest-receiver.service.js';
import { IngestSenders } from './ingest-senders.service.js';
import { IngestStorage } from './ingest-storage.service.js';
import { IngestTelemetry } from './ingest-telemetry.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';
import { ParserThread } from './parser-thread.service.js';
import { PointWriter } from './point-writer.service.js';
import { ProtocolSettingsModule } from './protocol-settings.module.js';
import { RefusalEvents } from './refusal-events.service.js';
import { StoredPoints } from './stored-points.service.js';
import { TestMetricsModule } from './test-metrics.module.js';

/** Takes points in by HTTP and Graphite: limits, parsers, registry, point log. For the role `ingest`. */
@Module({
  imports: [
    StorageModule,
    MetricRegistryModule,
    OrgModule,
    PointCountModule,
    DetectionBacklogModule,
    EventModule,
    ExclusionModule,
    ProgressModule,
    ProtocolSettingsModule,
    TestMetricsModule,
  ],
  controllers: [IngestController],
  providers: [
    BodyBudget,
    BodyParser,
    ExclusionGuard,
    GraphiteServer,
    GraphiteStore,
    IngestAdmission,
    IngestGate,
    IngestLimits,
    IngestReceiver,
    IngestSenders,
    IngestService,
    IngestStorage,
    IngestTelemetry,
    ParserThread,
    PointWriter,
    RefusalEvents,
    StoredPoints,
    TokenStrategy,
  ],
})
export class IngestModule {}
