import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnomalyRecordingModule } from '../anomaly/anomaly-recording.module.js';
import { MetricRegistryModule } from '../../data/metric/metric-registry.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DefinitionChangesService } from './definition-changes.service.js';
import { DefinitionChangesRepository } from './definition-changes.repository.js';
import { DetectionBacklogModule } from '../../data/detection-backlog/detection-backlog.module.js';
import { DetectionCheckpointEntity, DetectionCheckpointPageEntity } from './detection-checkpoint.entity.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionCheckpointsService } from './detection-checkpoints.service.js';
import { DetectionEffectsService } from './detection-effects.service.js';
import { DetectionMembersRepository } from './detection-members.repository.js';
import { DetectionFollowersService } from './detection-followers.service.js';
import { DetectionTelemetryService } from './detection-telemetry.service.js';
import { DetectionConfig } from './detection.config.js';
import { DetectionService } from './detection.service.js';
import { DetectionStateOpeningService } from './detection-state-opening.service.js';
import { DetectionTicksService } from './detection-ticks.service.js';
import { DetectionWatchService } from './detection-watch.service.js';
import { PAGE_BYTES, type PageBytes } from './page-bytes.js';
import { PartitionConsumersService } from './partition-consumers.service.js';
import { PartitionOwnershipService } from './partition-ownership.service.js';
import { createShardExecutor, PartitionShards, ShardExecutor } from './partition-shard.js';
import { PartitionSharesService } from './partition-shares.service.js';
import { SeriesDirectoryService } from './series-directory.service.js';

/** Converts the point log to stored points and anomalies, in processes with the role `detect`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DetectionCheckpointEntity, DetectionCheckpointPageEntity]),
    StorageModule,
    MetricRegistryModule,
    ProgressModule,
    AnomalyRecordingModule,
    DetectionBacklogModule,
  ],
  providers: [
    DetectionService,
    DetectionEffectsService,
    DetectionFollowersService,
    DetectionTelemetryService,
    DetectionTicksService,
    DetectionWatchService,
    DetectionCheckpointRepository,
    DetectionCheckpointsService,
    DetectionStateOpeningService,
    {
      provide: PAGE_BYTES,
      inject: [DetectionStateOpeningService],
      useFactory: (opening: DetectionStateOpeningService) => opening.open(),
    },
    DefinitionChangesService,
    DefinitionChangesRepository,
    PartitionConsumersService,
    PartitionOwnershipService,
    PartitionShards,
    PartitionSharesService,
    DetectionMembersRepository,
    SeriesDirectoryService,
    {
      provide: ShardExecutor,
      inject: [DetectionConfig],
      useFactory: (config: DetectionConfig) => createShardExecutor(config.threads),
    },
  ],
  exports: [DetectionService, DetectionFollowersService],
})
export class DetectionModule implements OnApplicationShutdown {
  constructor(@Inject(PAGE_BYTES) private readonly pages: PageBytes) {}

  /** No detection is running at this point. */
  async onApplicationShutdown(): Promise<void> {
    await this.pages.close();
  }
}
