import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricRegistryModule } from '../../data/metric/metric-registry.module.js';
import { MetricSearchEntity } from '../../data/metric/metric.entity.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { AnomalyRecordingModule } from '../anomaly/anomaly-recording.module.js';
import { MetricQuotaController } from './metric-quota.controller.js';
import { MetricQuotaRepository } from './metric-quota.repository.js';
import { MetricDetachmentService, MetricQuotaService } from './metric-quota.service.js';
import { MetricRemovalController } from './metric-removal.controller.js';
import { MetricRemovalRepository } from './metric-removal.repository.js';
import { MetricRemovalService } from './metric-removal.service.js';

/** Removes metrics from the quota, and erases them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MetricSearchEntity]),
    AnomalyRecordingModule,
    AuditModule,
    EventModule,
    MetricModule,
    MetricRegistryModule,
    OrgModule,
    StorageModule,
  ],
  controllers: [MetricQuotaController, MetricRemovalController],
  providers: [
    MetricDetachmentService,
    MetricQuotaService,
    MetricQuotaRepository,
    MetricRemovalService,
    MetricRemovalRepository,
  ],
})
export class MetricRemovalModule {}
