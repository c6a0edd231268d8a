import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountEntity } from './billing-account.entity.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { PlanDirectory } from './plan-directory.service.js';

/** The reading side, for other areas; it needs none of them. */
@Module({
  imports: [TypeOrmModule.forFeature([BillingAccountEntity])],
  providers: [BillingAccountRepository, PlanDirectory],
  exports: [BillingAccountRepository, PlanDirectory],
})
export class PlanDirectoryModule {}
