import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditTrailModule } from '../audit/audit-trail.module.js';
import { EventRecordingModule } from '../event/event-recording.module.js';
import { OrgModule } from '../org/org.module.js';
import { UserModule } from '../user/user.module.js';
import { BillingCheckoutEntity } from './billing-checkout.entity.js';
import { BillingCheckoutRepository } from './billing-checkout.repository.js';
import { BillingEventEntity } from './billing-event.entity.js';
import { BillingEventRepository } from './billing-event.repository.js';
import { BillingHistory } from './billing-history.service.js';
import { BillingRecordEntity } from './billing-record.entity.js';
import { BillingRecordRepository } from './billing-record.repository.js';
import { BillingSync } from './billing-sync.service.js';
import { BillingUpkeep } from './billing-upkeep.service.js';
import { BillingController } from './billing.controller.js';
import { CheckoutService } from './checkout.service.js';
import { PlanDirectoryModule } from './plan-directory.module.js';
import { WebhookService } from './webhook.service.js';

/** The calls about payment; what other areas ask is PlanDirectoryModule. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BillingCheckoutEntity, BillingEventEntity, BillingRecordEntity]),
    AuditTrailModule,
    EventRecordingModule,
    OrgModule,
    PlanDirectoryModule,
    UserModule,
  ],
  controllers: [BillingController],
  providers: [
    BillingCheckoutRepository,
    BillingEventRepository,
    BillingHistory,
    BillingRecordRepository,
    BillingSync,
    BillingUpkeep,
    CheckoutService,
    WebhookService,
  ],
})
export class BillingModule {}
