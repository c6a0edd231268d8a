import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnomalyRecordingModule } from '../anomaly/anomaly-recording.module.js';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { ExclusionRecordsModule } from '../exclusion/exclusion-records.module.js';
import { OrgModule } from '../org/org.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { MetricQuotaController } from './metric-quota.controller.js';
import { MetricQuotaRepository } from './metric-quota.repository.js';
import { MetricRegistryModule } from './metric-registry.module.js';
import { MetricRemoval } from './metric-removal.service.js';
import { MetricSearchEntity } from './metric-search.entity.js';
import { MetricController } from './metric.controller.js';
import { MetricEntity } from './metric.entity.js';
import { MetricRepository } from './metric.repository.js';
import { MetricService } from './metric.service.js';
import { TimeseriesService } from './timeseries.service.js';

/** Reading metrics and their values, and removing them. Making them is MetricRegistryModule's. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MetricEntity, MetricSearchEntity]),
    AnomalyRecordingModule,
    AuditTrailModule,
    EventRecordingModule,
    ExclusionRecordsModule,
    MetricRegistryModule,
    OrgModule,
    StorageModule,
  ],
  controllers: [MetricController, MetricQuotaController],
  providers: [MetricRepository, MetricQuotaRepository, MetricRemoval, MetricService, TimeseriesService],
  exports: [MetricService, TimeseriesService],
})
export class MetricModule {}
