import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { ThresholdChanges } from './threshold-changes.service.js';
import { ThresholdBreachEntity, ThresholdChangeEntity } from './threshold.entity.js';
import { ThresholdRepository } from './threshold.repository.js';

/** Breaches of thresholds as they are stored. */
@Module({
  imports: [EventModule, StreamLogModule, TypeOrmModule.forFeature([ThresholdBreachEntity, ThresholdChangeEntity])],
  providers: [ThresholdChanges, ThresholdRepository],
  exports: [ThresholdChanges, ThresholdRepository],
})
export class ThresholdModule {}
