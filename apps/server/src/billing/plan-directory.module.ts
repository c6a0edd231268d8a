import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingAccountEntity } from './billing-account.entity.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { PaymentProvider } from './payment-provider.service.js';
import { PlanDirectory } from './plan-directory.service.js';
import { SubscriptionEnding } from './subscription-ending.service.js';

/** What other areas ask of billing; it needs none of them. */
@Module({
  imports: [TypeOrmModule.forFeature([BillingAccountEntity])],
  providers: [BillingAccountRepository, PaymentProvider, PlanDirectory, SubscriptionEnding],
  exports: [BillingAccountRepository, PaymentProvider, PlanDirectory, SubscriptionEnding],
})
export class PlanDirectoryModule {}
