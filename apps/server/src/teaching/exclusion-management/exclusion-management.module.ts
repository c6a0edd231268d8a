import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExclusionEntity } from '../../data/exclusion/exclusion.entity.js';
import { ExclusionModule } from '../../data/exclusion/exclusion.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { AlertHistoryModule } from '../../analysis/alert-history/alert-history.module.js';
import { AnomalyRecordingModule } from '../../analysis/anomaly/anomaly-recording.module.js';
import { ExclusionActsService } from './exclusion-acts.service.js';
import { ExclusionChangesService } from './exclusion-changes.service.js';
import { ExclusionConfigKindService } from './exclusion-config-kind.service.js';
import { ExclusionEffectsService } from './exclusion-effects.service.js';
import { ExclusionManagementController } from './exclusion-management.controller.js';
import { ExclusionManagementRepository } from './exclusion-management.repository.js';
import { ExclusionReapplicationService } from './exclusion-reapplication.service.js';
import { ExclusionReaderService } from './exclusion-reader.service.js';
import { ExclusionWritingService } from './exclusion-writing.service.js';

/** Creates, changes and deletes exclusions, and applies them to metrics and anomalies. ExclusionModule lists them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ExclusionEntity]),
    AlertHistoryModule,
    AnomalyRecordingModule,
    AuditModule,
    ConfigKindModule,
    EventModule,
    ExclusionModule,
    OrgModule,
    StorageModule,
  ],
  controllers: [ExclusionManagementController],
  providers: [
    ExclusionActsService,
    ExclusionChangesService,
    ExclusionConfigKindService,
    ExclusionEffectsService,
    ExclusionManagementRepository,
    ExclusionReapplicationService,
    ExclusionReaderService,
    ExclusionWritingService,
  ],
  exports: [ExclusionReapplicationService, ExclusionWritingService],
})
export class ExclusionManagementModule {}
