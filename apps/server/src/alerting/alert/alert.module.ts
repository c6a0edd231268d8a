import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertHistoryModule } from '../../analysis/alert-history/alert-history.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { AlertDeliveryEntity } from './alert-delivery.entity.js';
import { AlertsForHistory } from './alert-history-source.service.js';
import { AlertOutboxRepository } from './alert-outbox.repository.js';
import { AlertOutbox } from './alert-outbox.service.js';
import { AlertRecordsRepository } from './alert-records.repository.js';
import { AlertRecords } from './alert-records.service.js';
import { AlertEntity, AlertSubjectEntity } from './alert.entity.js';
import { DeliveryTroubles } from './delivery-troubles.service.js';
import { GivenUpRepository } from './given-up.repository.js';
import { GivenUpMessages } from './given-up.service.js';
import { LastLooks } from './last-looks.service.js';

/** Alerts and their messages: writing and reading them. Sending is AlertDeliveryModule's. */
@Module({
  imports: [
    AlertHistoryModule,
    AuditModule,
    ChannelModule,
    TypeOrmModule.forFeature([AlertEntity, AlertSubjectEntity, AlertDeliveryEntity]),
  ],
  providers: [
    AlertOutbox,
    AlertOutboxRepository,
    AlertRecords,
    AlertRecordsRepository,
    AlertsForHistory,
    DeliveryTroubles,
    GivenUpMessages,
    GivenUpRepository,
    LastLooks,
  ],
  exports: [AlertOutbox, AlertRecords, DeliveryTroubles, GivenUpMessages, LastLooks],
})
export class AlertModule {}
