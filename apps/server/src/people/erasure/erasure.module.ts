import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ErasureRecordsModule } from './erasure-records.module.js';
import { PendingSeriesErasureEntity } from './pending-series-erasure.entity.js';
import { OrgErasureWorkerService } from './org-erasure-worker.service.js';
import { OrgErasureRepository } from './org-erasure.repository.js';

/** Erases the data of deleted organisations, for the role `detect`. */
@Module({
  imports: [TypeOrmModule.forFeature([PendingSeriesErasureEntity]), ErasureRecordsModule, BillingModule, StorageModule],
  providers: [OrgErasureWorkerService, OrgErasureRepository],
  exports: [OrgErasureWorkerService],
})
export class ErasureModule {}
