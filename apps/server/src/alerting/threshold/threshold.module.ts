import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../../data/metric/metric.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { ThresholdChangesService } from './threshold-changes.service.js';
import { ThresholdBreachEntity, ThresholdChangeEntity } from './threshold.entity.js';
import { ThresholdRecordsService } from './threshold-records.service.js';
import { ThresholdRepository } from './threshold.repository.js';

/** Stored breaches of thresholds. */
@Module({
  imports: [
    EventModule,
    MetricModule,
    StreamLogModule,
    TypeOrmModule.forFeature([ThresholdBreachEntity, ThresholdChangeEntity]),
    WatcherModule,
  ],
  providers: [ThresholdChangesService, ThresholdRecordsService, ThresholdRepository],
  exports: [ThresholdChangesService, ThresholdRecordsService, ThresholdRepository],
})
export class ThresholdModule {}
