import { Module } from '@nestjs/common';
import { AnomalyHousekeeping } from './anomaly-housekeeping.service.js';
import { AnomalyRecordingRepository } from './anomaly-recording.repository.js';

/** Drops old anomalies, for the role `detect`. */
@Module({ providers: [AnomalyHousekeeping, AnomalyRecordingRepository] })
export class AnomalyHousekeepingModule {}
