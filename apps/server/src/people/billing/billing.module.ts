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
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingHistoryService } from './billing-history.service.js';
import { BillingRecordRepository } from './billing-record.repository.js';
import { BillingSyncService } from './billing-sync.service.js';
import { BillingUpdateService } from './billing-update.service.js';
import { BillingReconciliationService } from './billing-reconciliation.service.js';
import { BillingController } from './billing.controller.js';
import { BillingCustomersService, CheckoutReturnService, CheckoutService } from './checkout.service.js';
import { CustomerPortalService } from './customer-portal.service.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { OpenedCheckoutsService } from './opened-checkouts.service.js';
import { PaymentProviderService } from './payment-provider.service.js';
import { PlanChangesService } from './plan-changes.service.js';
import { PlanDirectoryService } from './plan-directory.service.js';
import { ReturnAddressesService } from './return-addresses.service.js';
import { SubscriptionEndingService } from './subscription-ending.service.js';
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
    BillingCustomersService,
    BillingEventRepository,
    BillingHistoryService,
    BillingRecordRepository,
    BillingSyncService,
    BillingUpdateService,
    BillingReconciliationService,
    CheckoutReturnService,
    CheckoutService,
    CustomerPortalService,
    OpenedCheckoutsService,
    PaymentProviderService,
    PlanChangesService,
    PlanDirectoryService,
    ReturnAddressesService,
    SubscriptionEndingService,
    WebhookService,
  ],
  exports: [PlanDirectoryService, SubscriptionEndingService],
})
export class BillingModule {}
