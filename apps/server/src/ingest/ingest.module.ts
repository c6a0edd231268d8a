import { Module } from '@nestjs/common';
import { ExclusionGuardModule } from '../exclusion/exclusion-guard.module.js';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { OrgModule } from '../org/org.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { IngestReceiver } from './ingest-receiver.service.js';
import { IngestTelemetry } from './ingest-telemetry.service.js';
import { IngestController } from './ingest.controller.js';
import { IngestService } from './ingest.service.js';

@Module({
  imports: [ExclusionGuardModule, StorageModule, MetricRegistryModule, OrgModule],
  controllers: [IngestController],
  providers: [IngestReceiver, IngestService, IngestTelemetry],
})
export class IngestModule {}
