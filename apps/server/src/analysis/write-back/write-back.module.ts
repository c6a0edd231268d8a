import { Module } from '@nestjs/common';
import { MetricModule } from '../../data/metric/metric.module.js';
import { SourceModule } from '../../data/source/source.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { ExpectationModule } from '../expectation/expectation.module.js';
import { SourceWriteBackService, WriteBackReportsService } from './source-write-back.service.js';
import { WriteBackClaimsRepository } from './write-back-claims.repository.js';
import { WriteBackSamplesService } from './write-back-samples.service.js';

/** Writes expected ranges and scores to the stores that sources read. */
@Module({
  imports: [ExpectationModule, MetricModule, OrgModule, SourceModule],
  providers: [SourceWriteBackService, WriteBackClaimsRepository, WriteBackReportsService, WriteBackSamplesService],
})
export class WriteBackModule {}
