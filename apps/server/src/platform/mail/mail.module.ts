import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceMail } from './instance-mail.service.js';
import { MailOutboxEntity } from './mail-outbox.entity.js';
import { MailOutboxRepository } from './mail-outbox.repository.js';
import { MailSignal } from './mail-signal.service.js';
import { Mailer } from './mailer.service.js';
import { Smtp } from './smtp.service.js';
import { TenantMailServers } from './tenant-mail-servers.service.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';

/** The outbox of mails, sealed in the database, and SMTP. Sending is MailDeliveryModule's. */
@Module({
  imports: [TypeOrmModule.forFeature([MailOutboxEntity]), OutgoingModule],
  providers: [InstanceMail, Mailer, MailOutboxRepository, MailSignal, Smtp, TenantMailServers],
  exports: [InstanceMail, Mailer, MailOutboxRepository, MailSignal, Smtp, TenantMailServers],
})
export class MailModule {}
