import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InstanceMailService } from './instance-mail.service.js';
import { MailOutboxEntity } from './mail-outbox.entity.js';
import { MailOutboxRepository } from './mail-outbox.repository.js';
import { MailSignalService } from './mail-signal.service.js';
import { MailerService } from './mailer.service.js';
import { SmtpService } from './smtp.service.js';
import { TenantMailServersService } from './tenant-mail-servers.service.js';
import { OutgoingModule } from '../outgoing/outgoing.module.js';

/** The outbox of mails, sealed in the database, and SMTP. MailDeliveryModule sends them. */
@Module({
  imports: [TypeOrmModule.forFeature([MailOutboxEntity]), OutgoingModule],
  providers: [
    InstanceMailService,
    MailerService,
    MailOutboxRepository,
    MailSignalService,
    SmtpService,
    TenantMailServersService,
  ],
  exports: [
    InstanceMailService,
    MailerService,
    MailOutboxRepository,
    MailSignalService,
    SmtpService,
    TenantMailServersService,
  ],
})
export class MailModule {}
