import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChannelModule } from '../channel/channel.module.js';
import { AlertDeliveryEntity } from './alert-delivery.entity.js';
import { AlertOutboxRepository } from './alert-outbox.repository.js';
import { AlertOutbox } from './alert-outbox.service.js';
import { AlertEntity, AlertSubjectEntity } from './alert.entity.js';

/** Alerts and their messages: writing them down. */
@Module({
  imports: [ChannelModule, TypeOrmModule.forFeature([AlertEntity, AlertSubjectEntity, AlertDeliveryEntity])],
  providers: [AlertOutbox, AlertOutboxRepository],
  exports: [AlertOutbox],
})
export class AlertModule {}
