import { Module } from '@nestjs/common';
import { ThresholdModule } from '../../alerting/threshold/threshold.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertModule } from '../../alerting/alert/alert.module.js';
import { AnomalyModule } from '../../analysis/anomaly/anomaly.module.js';
import { IncidentModule } from '../../analysis/incident/incident.module.js';
import { MatchModule } from '../../teaching/match/match.module.js';
import { PatternModule } from '../../analysis/pattern/pattern.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { StreamEventEntity } from '../../platform/stream-log/stream-event.entity.js';
import { StreamAdmissionService } from './stream-admission.service.js';
import { StreamListenerEntity } from './stream-listener.entity.js';
import { StreamListenersRepository } from './stream-listeners.repository.js';
import { StreamPagesService } from './stream-pages.service.js';
import { AnalysisSubjectsService, StreamRendererService } from './stream-renderer.service.js';
import { StreamController } from './stream.controller.js';
import { StreamRepository } from './stream.repository.js';
import { StreamService, StreamSignalService } from './stream.service.js';

/** The event stream: changes of an organisation, sent to listeners as they happen. */
@Module({
  imports: [
    ThresholdModule,
    TypeOrmModule.forFeature([StreamEventEntity, StreamListenerEntity]),
    AlertModule,
    AnomalyModule,
    IncidentModule,
    MatchModule,
    MetricModule,
    OrgModule,
    PatternModule,
    ProgressModule,
  ],
  controllers: [StreamController],
  providers: [
    AnalysisSubjectsService,
    StreamAdmissionService,
    StreamListenersRepository,
    StreamPagesService,
    StreamRendererService,
    StreamRepository,
    StreamService,
    StreamSignalService,
  ],
})
export class StreamModule {}
