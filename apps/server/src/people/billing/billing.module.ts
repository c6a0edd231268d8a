import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import {
  BillingCheckoutEntity,
  BillingEventEntity,
  BillingRecordEntity,
  BillingAccountEntity,
} from './billing.entity.js';
import { BillingCheckoutRepository } from './billing-checkout.repository.js';
import { BillingCustomers } from './billing-customers.service.js';
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingHistory } from './billing-history.service.js';
import { BillingRecordRepository } from './billing-record.repository.js';
import { BillingSync } from './billing-sync.service.js';
import { BillingUpdate } from './billing-update.service.js';
import { BillingReconciliation } from './billing-reconciliation.service.js';
import { BillingController } from './billing.controller.js';
import { CheckoutReturn } from './checkout-return.service.js';
import { CheckoutService } from './checkout.service.js';
import { CustomerPortal } from './customer-portal.service.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { OpenedCheckouts } from './opened-checkouts.service.js';
import { PaymentProvider } from './payment-provider.service.js';
import { PlanChanges } from './plan-changes.service.js';
import { PlanDirectory } from './plan-directory.service.js';
import { ProviderAnswers } from './provider-answers.service.js';
import { ReturnAddresses } from './return-addresses.service.js';
import { SubscriptionEnding } from './subscription-ending.service.js';
import { WebhookService } from './webhook.service.js';

/** Plans and payment by a payment provider. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillingAccountEntity, BillingCheckoutEntity, BillingEventEntity, BillingRecordEntity]),
    AuditModule,
    EventModule,
    OrgModule,
    UserModule,
  ],
  controllers: [BillingController],
  providers: [
    BillingAccountRepository,
    BillingCheckoutRepository,
    BillingCustomers,
    BillingEventRepository,
    BillingHistory,
    BillingRecordRepository,
    BillingSync,
    BillingUpdate,
    BillingReconciliation,
    CheckoutReturn,
    CheckoutService,
    CustomerPortal,
    OpenedCheckouts,
    PaymentProvider,
    PlanChanges,
    PlanDirectory,
    ProviderAnswers,
    ReturnAddresses,
    SubscriptionEnding,
    WebhookService,
  ],
  exports: [PlanDirectory, SubscriptionEnding],
})
export class BillingModule {}
