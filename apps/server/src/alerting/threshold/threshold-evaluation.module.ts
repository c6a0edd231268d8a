import { Module } from '@nestjs/common';
import { DetectionModule } from '../../analysis/detection/detection.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ThresholdEvaluationService } from './threshold-evaluation.service.js';
import { ThresholdWatchersService } from './threshold-watchers.service.js';
import { ThresholdModule } from './threshold.module.js';

/** Holds points against thresholds: what the role `detect` needs of the area. */
@Module({
  imports: [DetectionModule, StorageModule, ThresholdModule],
  providers: [ThresholdEvaluationService, ThresholdWatchersService],
})
export class ThresholdEvaluationModule {}
