import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { IncidentGroupingRepository } from './incident-grouping.repository.js';
import { IncidentGroupingService } from './incident-grouping.service.js';
import { IncidentOrgEventsService } from './incident-org-events.service.js';
import { AnomalyChangeEntity, IncidentAnomalyEntity, IncidentEntity } from './incident.entity.js';

/** Groups anomalies into incidents, for the role `detect`, which does not need the API (IncidentModule). */
@Module({
  imports: [
    TypeOrmModule.forFeature([AnomalyChangeEntity, IncidentAnomalyEntity, IncidentEntity]),
    EventModule,
    OrgModule,
    StreamLogModule,
  ],
  providers: [IncidentGroupingService, IncidentGroupingRepository, IncidentOrgEventsService],
  exports: [IncidentGroupingService],
})
export class IncidentGroupingModule {}
