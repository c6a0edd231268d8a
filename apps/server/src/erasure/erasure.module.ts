import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlanDirectoryModule } from '../billing/plan-directory.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ErasureRecordsModule } from './erasure-records.module.js';
import { LeavingSeriesEntity } from './leaving-series.entity.js';
import { OrgErasureWorker } from './org-erasure-worker.service.js';
import { OrgErasureRepository } from './org-erasure.repository.js';

/** Erases what deleted organisations leave behind. */
@Module({
  imports: [TypeOrmModule.forFeature([LeavingSeriesEntity]), ErasureRecordsModule, PlanDirectoryModule, StorageModule],
  providers: [OrgErasureWorker, OrgErasureRepository],
  exports: [OrgErasureWorker],
})
export class ErasureModule {}
