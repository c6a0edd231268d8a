import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PastAlertsModule } from '../../alerting/alert-plan/past-alerts.module.js';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { TrainingModule } from '../../teaching/training/training.module.js';
import { TuningModule } from '../../teaching/tuning/tuning.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { MetricRegistryModule } from '../../data/metric/metric-registry.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { PointCountModule } from '../../data/point-count/point-count.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DemoVisitsModule } from './demo-visits.module.js';
import { DemoFeedsService } from './demo-feeds.service.js';
import { DemoAlertsService, DemoHistoryService } from './demo-history.service.js';
import { DemoResetService } from './demo-reset.service.js';
import { DemoSenderService } from './demo-sender.service.js';
import { DemoService } from './demo.service.js';
import { DemoStoryService } from './demo-story.service.js';
import { DemoStoryRepository } from './demo-story.repository.js';
import { DemoStoryEntity } from './demo.entity.js';
import { LiveDemosService } from './live-demos.service.js';

/**
 * Demo organisations: the role `ingest` adds data every minute and resets them every night. Visitors enter through
 * DemoVisitsModule.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([DemoStoryEntity]),
    AnomalyModule,
    AuditModule,
    DemoVisitsModule,
    EventModule,
    MetricRegistryModule,
    OrgModule,
    PastAlertsModule,
    PointCountModule,
    ProgressModule,
    StorageModule,
    TrainingModule,
    TuningModule,
  ],
  providers: [
    DemoAlertsService,
    DemoFeedsService,
    DemoHistoryService,
    DemoResetService,
    DemoSenderService,
    DemoService,
    DemoStoryService,
    DemoStoryRepository,
    LiveDemosService,
  ],
  exports: [DemoResetService, DemoService],
})
export class DemoModule {}
