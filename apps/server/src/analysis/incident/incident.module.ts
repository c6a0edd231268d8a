import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserModule } from '../../people/user/user.module.js';
import { IncidentAnomalyEntity, IncidentEntity } from './incident.entity.js';
import { IncidentRepository } from './incident.repository.js';
import { IncidentService } from './incident.service.js';

/** Incidents: anomalies that started together. IncidentGroupingModule groups them, IncidentListModule lists them. */
@Module({
  imports: [TypeOrmModule.forFeature([IncidentAnomalyEntity, IncidentEntity]), UserModule],
  providers: [IncidentRepository, IncidentService],
  exports: [IncidentService],
})
export class IncidentModule {}
