import { Module } from '@nestjs/common';
import { OrgModule } from '../../people/org/org.module.js';
import { AlertHistoryModule } from '../alert-history/alert-history.module.js';
import { AnomalyModule } from '../anomaly/anomaly.module.js';
import { IncidentModule } from '../incident/incident.module.js';
import { IncidentListController } from './incident-list.controller.js';
import { IncidentListService } from './incident-list.service.js';

/** Lists incidents with the records of their anomalies. */
@Module({
  imports: [AlertHistoryModule, AnomalyModule, IncidentModule, OrgModule],
  controllers: [IncidentListController],
  providers: [IncidentListService],
  exports: [IncidentListService],
})
export class IncidentListModule {}
