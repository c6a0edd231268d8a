import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AnomalyRecordingModule } from '../anomaly/anomaly-recording.module.js';
import { MetricRegistryModule } from '../../data/metric/metric-registry.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { DefinitionChanges } from './definition-changes.service.js';
import { DefinitionChangesRepository } from './definition-changes.repository.js';
import { DetectionBacklogModule } from '../../data/detection-backlog/detection-backlog.module.js';
import { DetectionCheckpointEntity, DetectionCheckpointPageEntity } from './detection-checkpoint.entity.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionCheckpoints } from './detection-checkpoints.service.js';
import { DetectionEffects } from './detection-effects.service.js';
import { DetectionMembersRepository } from './detection-members.repository.js';
import { DetectionFollowers } from './detection-followers.service.js';
import { DetectionTelemetry } from './detection-telemetry.service.js';
import { DetectionConfig } from './detection.config.js';
import { DetectionService } from './detection.service.js';
import { DetectionStateOpening } from './detection-state-opening.service.js';
import { DetectionTicks } from './detection-ticks.service.js';
import { DetectionWatch } from './detection-watch.service.js';
import { PAGE_BYTES, type PageBytes } from './page-bytes.js';
import { PartitionConsumers } from './partition-consumers.service.js';
import { PartitionOwnership } from './partition-ownership.service.js';
import { createShardExecutor, PartitionShards, ShardExecutor } from './partition-shard.js';
import { PartitionShares } from './partition-shares.service.js';
import { SeriesDirectory } from './series-directory.service.js';

/** From the point log to stored points and anomalies; works in processes with the role `detect`. */
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
    DetectionEffects,
    DetectionFollowers,
    DetectionTelemetry,
    DetectionTicks,
    DetectionWatch,
    DetectionCheckpointRepository,
    DetectionCheckpoints,
    DetectionStateOpening,
    {
      provide: PAGE_BYTES,
      inject: [DetectionStateOpening],
      useFactory: (opening: DetectionStateOpening) => opening.open(),
    },
    DefinitionChanges,
    DefinitionChangesRepository,
    PartitionConsumers,
    PartitionOwnership,
    PartitionShards,
    PartitionShares,
    DetectionMembersRepository,
    SeriesDirectory,
    {
      provide: ShardExecutor,
      inject: [DetectionConfig],
      useFactory: (config: DetectionConfig) => createShardExecutor(config.threads),
    },
  ],
  exports: [DetectionService, DetectionFollowers],
})
export class DetectionModule implements OnApplicationShutdown {
  constructor(@Inject(PAGE_BYTES) private readonly pages: PageBytes) {}

  /** By now no detection is under way. */
  async onApplicationShutdown(): Promise<void> {
    await this.pages.close();
  }
}
