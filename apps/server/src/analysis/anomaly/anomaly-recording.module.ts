import { Module } from '@nestjs/common';
import { AnomalyHousekeeping } from './anomaly-housekeeping.service.js';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';
import { AnomalyRecorder } from './anomaly-recording.service.js';
import { AnomalyEvents } from './anomaly.events.js';

/** The writing side, for the role `detect`, which needs nothing of the API (AnomalyModule). */
@Module({
  providers: [AnomalyHousekeeping, AnomalyRecorder, AnomalyRecordingRepository, AnomalyEvents],
  exports: [AnomalyHousekeeping, AnomalyRecorder, AnomalyEvents],
})
export class AnomalyRecordingModule {}
