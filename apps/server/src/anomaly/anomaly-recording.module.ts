import { Module } from '@nestjs/common';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';
import { AnomalyRecorder } from './anomaly-recording.service.js';
import { AnomalyEvents } from './anomaly.events.js';

/** The writing side, used by detection; the API is AnomalyModule. */
@Module({
  providers: [AnomalyRecorder, AnomalyRecordingRepository, AnomalyEvents],
  exports: [AnomalyRecorder, AnomalyEvents],
})
export class AnomalyRecordingModule {}
