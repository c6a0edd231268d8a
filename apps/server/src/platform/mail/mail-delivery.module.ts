import { Module } from '@nestjs/common';
import { MailDelivery } from './mail-delivery.service.js';
import { MailModule } from './mail.module.js';

/** Sends what was queued, in processes with the role `notify`; those with the role `api` say in GET /status what waits. */
@Module({ imports: [MailModule], providers: [MailDelivery], exports: [MailDelivery] })
export class MailDeliveryModule {}
