import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../../people/org/org.module.js';
import { IntegrationEntity } from '../integration.entity.js';
import { IntegrationRepository } from '../integration.repository.js';
import { SettingsStoreService } from '../settings-store.service.js';
import { WebhookEventsService } from './webhook-events.service.js';

/** Defines which events webhooks get, for processes that plan alerts but do not send them: for the role `detect`. */
@Module({
  imports: [TypeOrmModule.forFeature([IntegrationEntity]), OrgModule],
  providers: [IntegrationRepository, SettingsStoreService, WebhookEventsService],
  exports: [WebhookEventsService],
})
export class WebhookEventsModule {}
