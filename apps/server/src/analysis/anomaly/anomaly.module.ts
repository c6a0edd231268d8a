import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExpectationModule } from '../expectation/expectation.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { AlertHistoryModule } from '../alert-history/alert-history.module.js';
import { PatternModule } from '../pattern/pattern.module.js';
import { IncidentModule } from '../incident/incident.module.js';
import { AnomalyDetailsService } from './anomaly-details.service.js';
import { AnomalyPresenter } from './anomaly-presenter.js';
import { AnomalyRankingController } from './anomaly-ranking.controller.js';
import { AnomalyRankingRepository } from './anomaly-ranking.repository.js';
import { AnomalyRankingService } from './anomaly-ranking.service.js';
import { AnomalyRecordingModule } from './anomaly-recording.module.js';
import { AnomalySummaryService } from './anomaly-summary.service.js';
import { AnomalyVerdictEntity } from './anomaly-verdict.entity.js';
import { AnomalyVerdictsService } from './anomaly-verdicts.service.js';
import { AnomalyController } from './anomaly.controller.js';
import { AnomalyEntity } from './anomaly.entity.js';
import { AnomalyRepository } from './anomaly.repository.js';
import { AnomalyService } from './anomaly.service.js';
import { MetricAnomalyController } from './metric-anomaly.controller.js';
import { YhatService } from './yhat.service.js';

/** Anomalies for people: lists, single anomalies, explanations, the expected range of a metric. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AnomalyEntity, AnomalyVerdictEntity]),
    AlertHistoryModule,
    AnomalyRecordingModule,
    ExpectationModule,
    IncidentModule,
    MetricModule,
    OrgModule,
    PatternModule,
    UserModule,
  ],
  controllers: [AnomalyController, AnomalyRankingController, MetricAnomalyController],
  providers: [
    AnomalyRankingService,
    AnomalyRankingRepository,
    AnomalyDetailsService,
    AnomalyService,
    AnomalySummaryService,
    YhatService,
    AnomalyPresenter,
    AnomalyRepository,
    AnomalyVerdictsService,
  ],
  exports: [
    AnomalyDetailsService,
    AnomalyPresenter,
    AnomalyRankingService,
    AnomalyService,
    AnomalyVerdictsService,
    YhatService,
  ],
})
export class AnomalyModule {}
