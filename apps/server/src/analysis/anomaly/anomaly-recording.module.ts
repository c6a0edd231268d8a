import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertHistoryModule } from '../alert-history/alert-history.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { AnomalyGateService } from './anomaly-gate.service.js';
import { AnomalyOrgEventsService } from './anomaly-org-events.service.js';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';
import { AnomalyRecordingService } from './anomaly-recording.service.js';
import { AnomalyContextService } from './anomaly-context.service.js';
import { AnomalyEntity } from './anomaly.entity.js';
import { AnomalyVerdictRepository } from './anomaly-verdict.repository.js';
import { AnomalyEvents } from './anomaly.events.js';

/** Records anomalies, for the role `detect`, which does not need the API (AnomalyModule). */
@Module({
  imports: [TypeOrmModule.forFeature([AnomalyEntity]), AlertHistoryModule, EventModule, StreamLogModule],
  providers: [
    AnomalyGateService,
    AnomalyRecordingService,
    AnomalyRecordingRepository,
    AnomalyEvents,
    AnomalyOrgEventsService,
    AnomalyContextService,
    AnomalyVerdictRepository,
  ],
  exports: [
    AnomalyGateService,
    AnomalyRecordingService,
    AnomalyEvents,
    AnomalyContextService,
    AnomalyVerdictRepository,
  ],
})
export class AnomalyRecordingModule {}
