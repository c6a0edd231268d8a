import { Module } from '@nestjs/common';
import { DetectionModule } from '../../analysis/detection/detection.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ThresholdEvaluation } from './threshold-evaluation.service.js';
import { ThresholdWatchers } from './threshold-watchers.service.js';
import { ThresholdModule } from './threshold.module.js';

/** Holds points against thresholds: what the role `detect` needs of the area. */
@Module({
  imports: [DetectionModule, StorageModule, ThresholdModule],
  providers: [ThresholdEvaluation, ThresholdWatchers],
})
export class ThresholdEvaluationModule {}
