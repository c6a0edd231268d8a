import { Module } from '@nestjs/common';
import { MailDeliveryService } from './mail-delivery.service.js';
import { MailModule } from './mail.module.js';

/** Sends what was queued, in processes with the role `notify`; those with the role `api` say in GET /status what waits. */
@Module({ imports: [MailModule], providers: [MailDeliveryService], exports: [MailDeliveryService] })
export class MailDeliveryModule {}
