import { Module } from '@nestjs/common';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ExpectationService } from './expectation.service.js';
import { ReplayExecutor } from './replay-executor.js';
import { StoredSeriesService } from './stored-series.service.js';

/** The expected range of any window: the detector replays the stored series. */
@Module({
  imports: [StorageModule],
  providers: [ExpectationService, ReplayExecutor, StoredSeriesService],
  exports: [ExpectationService, StoredSeriesService],
})
export class ExpectationModule {}
