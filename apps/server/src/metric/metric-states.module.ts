import { Module } from '@nestjs/common';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { MetricStatesRepository } from './metric-states.repository.js';
import { MetricStates } from './metric-states.service.js';

/** Housekeeping of metrics over time, for the role `detect`. */
@Module({
  imports: [EventRecordingModule],
  providers: [MetricStates, MetricStatesRepository],
  exports: [MetricStates],
})
export class MetricStatesModule {}
