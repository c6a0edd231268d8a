import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExclusionModule } from '../../data/exclusion/exclusion.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { AnomalyRecordingModule } from '../anomaly/anomaly-recording.module.js';
import { PatternModule } from '../pattern/pattern.module.js';
import { CandidateCheck } from './candidate-check.service.js';
import { CandidateDeadline } from './candidate-deadline.service.js';
import { CandidateGate } from './candidate-gate.service.js';
import { CandidateJudge } from './candidate-judge.service.js';
import { CandidateSeries } from './candidate-series.service.js';
import { CandidateVerdicts } from './candidate-verdicts.service.js';
import { CandidateRepository } from './candidate.repository.js';
import { CompareExecutor } from './compare-executor.service.js';
import { MatchActs } from './match-acts.service.js';
import { MatchCurves } from './match-curves.service.js';
import { MatchPresenter } from './match-presenter.js';
import { MatchTold } from './match-told.service.js';
import { MatchValidation } from './match-validation.service.js';
import { MatchController } from './match.controller.js';
import { AnomalyCandidateEntity, MatchEntity } from './match.entity.js';
import { MatchEvents } from './match.events.js';
import { MatchRepository } from './match.repository.js';
import { MatchService } from './match.service.js';
import { Matches } from './matches.service.js';
import { PatternLearning } from './pattern-learning.service.js';

/** What the detector finds on metrics with patterns is compared before it opens; what is alike is a match. */
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
    CandidateCheck,
    CandidateDeadline,
    CandidateGate,
    CandidateJudge,
    CandidateRepository,
    CandidateSeries,
    CandidateVerdicts,
    CompareExecutor,
    MatchActs,
    MatchCurves,
    MatchEvents,
    MatchPresenter,
    MatchRepository,
    MatchService,
    MatchTold,
    MatchValidation,
    Matches,
    PatternLearning,
  ],
  exports: [CandidateSeries, CompareExecutor, MatchEvents, Matches, MatchService],
})
export class MatchModule {}
