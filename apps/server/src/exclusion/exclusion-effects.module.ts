import { Module } from '@nestjs/common';
import { AnomalyRecordingModule } from '../anomaly/anomaly-recording.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ExclusionEffects } from './exclusion-effects.service.js';
import { ExclusionRecordsModule } from './exclusion-records.module.js';

/** What exclusions do to metrics: used by the API and, to make up for what was missed, by housekeeping. */
@Module({
  imports: [AnomalyRecordingModule, ExclusionRecordsModule, StorageModule],
  providers: [ExclusionEffects],
  exports: [ExclusionEffects],
})
export class ExclusionEffectsModule {}
