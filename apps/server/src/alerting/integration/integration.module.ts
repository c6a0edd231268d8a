import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../../people/billing/billing.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { ChannelRegistration } from './channel-registration.service.js';
import { CHANNELS } from './channels.js';
import { ChatApiModule } from './chat/chat-api.module.js';
import { ChatPictures } from './chat/chat-pictures.service.js';
import { FieldChecks } from './field-checks.service.js';
import { IntegrationActs } from './integration-acts.service.js';
import { IntegrationChanges } from './integration-changes.service.js';
import { IntegrationConfigKind } from './integration-config-kind.service.js';
import { IntegrationController } from './integration.controller.js';
import { IntegrationEntity } from './integration.entity.js';
import { IntegrationRepository } from './integration.repository.js';
import { IntegrationService } from './integration.service.js';
import { IntegrationSettings } from './integration-settings.service.js';
import { IntegrationTests } from './integration-tests.service.js';
import { OwnProperties } from './own-properties.service.js';
import { ServiceRecords } from './service-records.service.js';
import { SettingsStore } from './settings-store.service.js';
import { TestRecipients } from './test-recipients.service.js';
import { WebhookState } from './webhook/webhook-state.service.js';

/** What organisations have set for the services that they connect, and the channels that alerts are sent by. */
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
    UserModule,
  ],
  controllers: [IntegrationController],
  providers: [
    ...CHANNELS,
    ChannelRegistration,
    ChatPictures,
    FieldChecks,
    IntegrationActs,
    IntegrationChanges,
    IntegrationConfigKind,
    IntegrationRepository,
    IntegrationService,
    IntegrationSettings,
    IntegrationTests,
    OwnProperties,
    ServiceRecords,
    SettingsStore,
    TestRecipients,
    WebhookState,
  ],
  exports: [IntegrationSettings],
})
export class IntegrationModule {}
