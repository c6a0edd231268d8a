import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { ProgressModule } from '../../people/progress/progress.module.js';
import { UserModule } from '../../people/user/user.module.js';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { ConfigKindModule } from '../../platform/config-kind/config-kind.module.js';
import { EventModule } from '../../platform/event/event.module.js';
import { OutgoingModule } from '../../platform/outgoing/outgoing.module.js';
import { AlertModule } from '../alert/alert.module.js';
import { ChannelModule } from '../channel/channel.module.js';
import { TestAlertsService } from './test-alerts.service.js';
import { WatcherActsService } from './watcher-acts.service.js';
import { WatcherAddressesService } from './watcher-addresses.service.js';
import { WatcherAlertsRepository } from './watcher-alerts.repository.js';
import { WatcherChecksService } from './watcher-checks.service.js';
import { WatcherConfigKindService } from './watcher-config-kind.service.js';
import { WatcherSendCheckService } from './watcher-send-check.service.js';
import { WatcherMetricsRepository } from './watcher-metrics.repository.js';
import { WatcherPresenterService } from './watcher-presenter.service.js';
import { WatcherReaderService } from './watcher-reader.service.js';
import { WatcherStartRepository } from './watcher-start.repository.js';
import { WatcherStartService } from './watcher-start.service.js';
import { WatcherWriterService } from './watcher-writer.service.js';
import { WatcherController } from './watcher.controller.js';
import { WatcherEntity, WatcherRecipientEntity, WatcherStartEntity } from './watcher.entity.js';
import { WatcherRepository } from './watcher.repository.js';
import { WatcherService } from './watcher.service.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';
import { WatchersOfMetricsService } from './watchers-of-metrics.service.js';

/** Watchers: which metrics and events an organisation wants alerts about, and how. */
@Module({
  imports: [
    AlertModule,
    AuditModule,
    ChannelModule,
    ConfigKindModule,
    EventModule,
    MetricModule,
    OrgModule,
    OutgoingModule,
    ProgressModule,
    TypeOrmModule.forFeature([WatcherEntity, WatcherRecipientEntity, WatcherStartEntity]),
    UserModule,
  ],
  controllers: [WatcherController],
  providers: [
    TestAlertsService,
    WatcherActsService,
    WatcherAddressesService,
    WatcherAlertsRepository,
    WatcherChecksService,
    WatcherConfigKindService,
    WatcherSendCheckService,
    WatcherMetricsRepository,
    WatcherPresenterService,
    WatcherReaderService,
    WatcherRepository,
    WatcherService,
    WatcherStartService,
    WatcherStartRepository,
    WatcherWriterService,
    WatcherDirectoryService,
    WatchersOfMetricsService,
  ],
  exports: [WatcherReaderService, WatcherWriterService, WatcherDirectoryService],
})
export class WatcherModule {}
