import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExclusionModule } from '../../data/exclusion/exclusion.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { AnomalyRecordingModule } from '../../analysis/anomaly/anomaly-recording.module.js';
import { PatternModule } from '../../analysis/pattern/pattern.module.js';
import { CandidateCheckService } from './candidate-check.service.js';
import { CandidateDeadlineService } from './candidate-deadline.service.js';
import { CandidateGateService } from './candidate-gate.service.js';
import { CandidateJudgeService } from './candidate-judge.service.js';
import { CandidateSeriesService } from './candidate-series.service.js';
import { CandidateVerdictsService } from './candidate-verdicts.service.js';
import { CandidateRepository } from './candidate.repository.js';
import { CompareExecutorService } from './compare-executor.service.js';
import { MatchActsService } from './match-acts.service.js';
import { MatchPresenter } from './match-presenter.js';
import { MatchValidationService, MatchVerdictRecorderService } from './match-validation.service.js';
import { MatchController } from './match.controller.js';
import { AnomalyCandidateEntity, MatchEntity } from './match.entity.js';
import { MatchEvents } from './match.events.js';
import { MatchRepository } from './match.repository.js';
import { MatchCurvesService, MatchService } from './match.service.js';
import { MatchDirectoryService } from './match-directory.service.js';
import { PatternLearningService } from './pattern-learning.service.js';

/** Compares anomalies on metrics with patterns before they open; similar ones become matches. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AnomalyCandidateEntity, MatchEntity]),
    AnomalyRecordingModule,
    AuditModule,
    EventModule,
    ExclusionModule,
    MetricModule,
    OrgModule,
    PatternModule,
    StreamLogModule,
  ],
  controllers: [MatchController],
  providers: [
    CandidateCheckService,
    CandidateDeadlineService,
    CandidateGateService,
    CandidateJudgeService,
    CandidateRepository,
    CandidateSeriesService,
    CandidateVerdictsService,
    CompareExecutorService,
    MatchActsService,
    MatchCurvesService,
    MatchEvents,
    MatchPresenter,
    MatchRepository,
    MatchService,
    MatchVerdictRecorderService,
    MatchValidationService,
    MatchDirectoryService,
    PatternLearningService,
  ],
  exports: [CandidateSeriesService, CompareExecutorService, MatchEvents, MatchDirectoryService, MatchService],
})
export class MatchModule {}
