import { Module } from '@nestjs/common';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { AnomalyRecordingModule } from '../../analysis/anomaly/anomaly-recording.module.js';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { IncidentModule } from '../../analysis/incident/incident.module.js';
import { MatchModule } from '../match/match.module.js';
import { PatternModule } from '../../analysis/pattern/pattern.module.js';
import { AcknowledgementService } from './acknowledgement.service.js';
import { PatternBuildingModule } from './pattern-building.module.js';
import { TrainingActsService } from './training-acts.service.js';
import { TrainingPreviewService } from './training-preview.service.js';
import { TrainingTargetService } from './training-target.service.js';
import { TrainingRecorderService } from './training-recorder.service.js';
import { TrainingController } from './training.controller.js';
import { TrainingService, UntrainingService } from './training.service.js';

/** Trainings: people mark behaviour as expected or not, preview the effect, and undo it. */
@Module({
  imports: [
    AnomalyModule,
    AnomalyRecordingModule,
    AuditModule,
    EventModule,
    IncidentModule,
    MatchModule,
    MetricModule,
    OrgModule,
    PatternBuildingModule,
    PatternModule,
    ProgressModule,
  ],
  controllers: [TrainingController],
  providers: [
    AcknowledgementService,
    TrainingActsService,
    TrainingPreviewService,
    TrainingService,
    TrainingTargetService,
    TrainingRecorderService,
    UntrainingService,
  ],
  exports: [TrainingService],
})
export class TrainingModule {}
