import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExclusionModule } from '../../data/exclusion/exclusion.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { AnomalyRecordingModule } from '../../analysis/anomaly/anomaly-recording.module.js';
import { PatternModule } from '../../analysis/pattern/pattern.module.js';
import { BuildContextService } from './build-context.service.js';
import { ExampleExecutor } from './example-executor.js';
import { PatternBuilderService } from './pattern-builder.service.js';
import { RecurrenceLearningService } from './recurrence-learning.service.js';
import { RecurrencesService } from './recurrences.service.js';
import { ShapeCutterService } from './shape-cutter.service.js';
import { TrainingEntity } from '../../analysis/pattern/training.entity.js';
import { TrainingRepository } from './training.repository.js';

/**
 * Builds the patterns of trainings, and those of recurring anomalies, for the role `detect`, which does not need the
 * API (TrainingModule).
 */
@Module({
  imports: [
    AnomalyRecordingModule,
    TypeOrmModule.forFeature([TrainingEntity]),
    ExclusionModule,
    MetricModule,
    OrgModule,
    PatternModule,
    ProgressModule,
  ],
  providers: [
    BuildContextService,
    ExampleExecutor,
    PatternBuilderService,
    RecurrenceLearningService,
    RecurrencesService,
    ShapeCutterService,
    TrainingRepository,
  ],
  exports: [BuildContextService, ExampleExecutor, ShapeCutterService, TrainingRepository],
})
export class PatternBuildingModule {}
