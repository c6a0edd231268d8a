import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertHistoryModule } from '../../analysis/alert-history/alert-history.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { AlertDeliveryEntity } from './alert-delivery.entity.js';
import { AlertHistorySourceService } from './alert-history-source.service.js';
import { AlertOutboxRepository } from './alert-outbox.repository.js';
import { AlertOutboxService } from './alert-outbox.service.js';
import { AlertRecordsRepository } from './alert-records.repository.js';
import { AlertRecordsService } from './alert-records.service.js';
import { AlertEntity, AlertSubjectEntity } from './alert.entity.js';
import { DeliveryTroublesService } from './delivery-troubles.service.js';
import { GivenUpRepository } from './given-up.repository.js';
import { GivenUpMessagesService } from './given-up-messages.service.js';
import { SendChecksService } from './send-checks.service.js';

/** Alerts and their messages: writes and reads them. AlertDeliveryModule sends them. */
@Module({
  imports: [
    AlertHistoryModule,
    AuditModule,
    ChannelModule,
    TypeOrmModule.forFeature([AlertEntity, AlertSubjectEntity, AlertDeliveryEntity]),
  ],
  providers: [
    AlertOutboxService,
    AlertOutboxRepository,
    AlertRecordsService,
    AlertRecordsRepository,
    AlertHistorySourceService,
    DeliveryTroublesService,
    GivenUpMessagesService,
    GivenUpRepository,
    SendChecksService,
  ],
  exports: [
    AlertOutboxService,
    AlertRecordsService,
    DeliveryTroublesService,
    GivenUpMessagesService,
    SendChecksService,
  ],
})
export class AlertModule {}
