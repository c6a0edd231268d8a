import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../../people/billing/billing.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { ChannelRegistrationService } from './channel-registration.service.js';
import { CHANNELS } from './channels.js';
import { ChatApiModule } from './chat/chat-api.module.js';
import { ChatPicturesService } from './chat/chat-pictures.service.js';
import { IntegrationActsService } from './integration-acts.service.js';
import { FieldChecksService, IntegrationChangesService } from './integration-changes.service.js';
import { IntegrationConfigKindService } from './integration-config-kind.service.js';
import { IntegrationController } from './integration.controller.js';
import { IntegrationEntity } from './integration.entity.js';
import { IntegrationRepository } from './integration.repository.js';
import { IntegrationService } from './integration.service.js';
import { IntegrationSettingsService } from './integration-settings.service.js';
import { IntegrationTestsService } from './integration-tests.service.js';
import { OwnPropertiesService } from './own-properties.service.js';
import { ServiceRecordsService } from './service-records.service.js';
import { SettingsStoreService } from './settings-store.service.js';
import { TestMessagesService } from './test-messages.service.js';
import { TestRecipientsService } from './test-recipients.service.js';

/** Settings of the services that organisations connect, and the channels that send alerts. */
@Module({
  imports: [
    TypeOrmModule.forFeature([IntegrationEntity]),
    AuditModule,
    BillingModule,
    ChannelModule,
    ChatApiModule,
    ConfigKindModule,
    EventModule,
    MailModule,
    OrgModule,
    OutgoingModule,
    ProgressModule,
    UserModule,
  ],
  controllers: [IntegrationController],
  providers: [
    ...CHANNELS,
    ChannelRegistrationService,
    ChatPicturesService,
    FieldChecksService,
    IntegrationActsService,
    IntegrationChangesService,
    IntegrationConfigKindService,
    IntegrationRepository,
    IntegrationService,
    IntegrationSettingsService,
    IntegrationTestsService,
    OwnPropertiesService,
    ServiceRecordsService,
    SettingsStoreService,
    TestMessagesService,
    TestRecipientsService,
  ],
  exports: [IntegrationSettingsService],
})
export class IntegrationModule {}
