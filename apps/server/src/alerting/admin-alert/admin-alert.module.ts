import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExclusionModule } from '../../data/exclusion/exclusion.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { AlertModule } from '../alert/alert.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { AdminAlertConfigKindService } from './admin-alert-config-kind.service.js';
import { AdminAlertNoticesService } from './admin-alert-notices.service.js';
import { AdminAlertSettingsService } from './admin-alert-settings.service.js';
import { AdminAlertTransitionsService } from './admin-alert-transitions.service.js';
import { AdminAlertWatchService } from './admin-alert-watch.service.js';
import { AdminAlertController } from './admin-alert.controller.js';
import { AdminAlertEntity, OperatorAlertEntity } from './admin-alert.entity.js';
import { AdminAlertRepository } from './admin-alert.repository.js';
import { AdminAlertService } from './admin-alert.service.js';
import { AdminConditionsRepository } from './admin-conditions.repository.js';
import { AdminConditionsService } from './admin-conditions.service.js';
import { AdminRecipientsService } from './admin-recipients.service.js';
import { OperatorAlertsService } from './operator-alerts.service.js';

/** Alerts about the service itself: to the administrators of an organisation, and to the operator of the installation. */
@Module({
  imports: [
    TypeOrmModule.forFeature([AdminAlertEntity, OperatorAlertEntity]),
    AlertModule,
    AuditModule,
    ChannelModule,
    ConfigKindModule,
    EventModule,
    ExclusionModule,
    MailModule,
    OrgModule,
    UserModule,
  ],
  controllers: [AdminAlertController],
  providers: [
    AdminAlertConfigKindService,
    AdminAlertNoticesService,
    AdminAlertRepository,
    AdminAlertService,
    AdminAlertSettingsService,
    AdminAlertTransitionsService,
    AdminAlertWatchService,
    AdminConditionsService,
    AdminConditionsRepository,
    AdminRecipientsService,
    OperatorAlertsService,
  ],
})
export class AdminAlertModule {}
