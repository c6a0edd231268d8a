import { Module } from '@nestjs/common';
import { DetectionModule } from '../../analysis/detection/detection.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ThresholdEvaluationService } from './threshold-evaluation.service.js';
import { ThresholdWatchersService } from './threshold-watchers.service.js';
import { ThresholdModule } from './threshold.module.js';

/** Compares points with thresholds: the part of the area that the role `detect` needs. */
@Module({
  imports: [DetectionModule, StorageModule, ThresholdModule],
  providers: [ThresholdEvaluationService, ThresholdWatchersService],
})
export class ThresholdEvaluationModule {}
