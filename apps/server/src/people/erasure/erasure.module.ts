import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ErasureRecordsModule } from './erasure-records.module.js';
import { LeavingSeriesEntity } from './leaving-series.entity.js';
import { OrgErasureWorker } from './org-erasure-worker.service.js';
import { OrgErasureRepository } from './org-erasure.repository.js';

/** Erases what deleted organisations leave behind, for the role `detect`. */
@Module({
  imports: [TypeOrmModule.forFeature([LeavingSeriesEntity]), ErasureRecordsModule, BillingModule, StorageModule],
  providers: [OrgErasureWorker, OrgErasureRepository],
  exports: [OrgErasureWorker],
})
export class ErasureModule {}
