import { Module } from '@nestjs/common';
import { MailDeliveryService } from './mail-delivery.service.js';
import { MailModule } from './mail.module.js';

/**
 * Sends queued mails, in processes with the role `notify`; processes with the role `api` report waiting mails in GET
 * /status.
 */
@Module({ imports: [MailModule], providers: [MailDeliveryService], exports: [MailDeliveryService] })
export class MailDeliveryModule {}
