import { Module } from '@nestjs/common';
import { OrgModule } from '../../people/org/org.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ExpectationService } from './expectation.service.js';
import { ReplayExecutor } from './replay-executor.js';
import { StoredSeries } from './stored-series.service.js';

/** The expected range of any window, replayed over the stored series by the detector itself. */
@Module({
  imports: [StorageModule, OrgModule],
  providers: [ExpectationService, ReplayExecutor, StoredSeries],
  exports: [ExpectationService, StoredSeries],
})
export class ExpectationModule {}
