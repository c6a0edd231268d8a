import { Module } from '@nestjs/common';
import { EventModule } from '../../platform/event/event.module.js';
import { StreamLogModule } from '../../platform/stream-log/stream-log.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { AlertDeliveryRepository } from './alert-delivery.repository.js';
import { AlertDeliveryService } from './alert-delivery.service.js';
import { AlertStatusService } from './alert-status.service.js';
import { AlertModule } from './alert.module.js';
import { DeliveryAttemptService } from './delivery-attempt.service.js';
import { DeliverySettlingService } from './delivery-settling.service.js';
import { SuppressionReportsService } from './suppression-reports.service.js';

/**
 * Sends the messages of alerts, in processes with the role `notify`; those with the role `api` report waiting messages
 * in GET /status.
 */
@Module({
  imports: [AlertModule, ChannelModule, EventModule, StreamLogModule],
  providers: [
    AlertDeliveryService,
    AlertDeliveryRepository,
    AlertStatusService,
    DeliveryAttemptService,
    DeliverySettlingService,
    SuppressionReportsService,
  ],
  exports: [AlertDeliveryService],
})
export class AlertDeliveryModule {}
