import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MailOutboxEntity } from './mail-outbox.entity.js';
import { MailOutboxRepository } from './mail-outbox.repository.js';
import { MailSignal } from './mail-signal.service.js';
import { Mailer } from './mailer.service.js';
import { Smtp } from './smtp.service.js';

/** For every area that has something to mail. What was queued is sent by MailDeliveryModule. */
@Module({
  imports: [TypeOrmModule.forFeature([MailOutboxEntity])],
  providers: [Mailer, MailOutboxRepository, MailSignal, Smtp],
  exports: [Mailer, MailOutboxRepository, MailSignal, Smtp],
})
export class MailModule {}
