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
import { TestAlerts } from './test-alerts.service.js';
import { WatcherActs } from './watcher-acts.service.js';
import { WatcherAddresses } from './watcher-addresses.service.js';
import { WatcherAlertsRepository } from './watcher-alerts.repository.js';
import { WatcherChecks } from './watcher-checks.service.js';
import { WatcherConfigKind } from './watcher-config-kind.service.js';
import { WatcherLastLook } from './watcher-last-look.service.js';
import { WatcherMetricsRepository } from './watcher-metrics.repository.js';
import { WatcherPresenter } from './watcher-presenter.service.js';
import { WatcherReader } from './watcher-reader.service.js';
import { WatcherStartRepository } from './watcher-start.repository.js';
import { WatcherStart } from './watcher-start.service.js';
import { WatcherWriter } from './watcher-writer.service.js';
import { WatcherController } from './watcher.controller.js';
import { WatcherEntity, WatcherRecipientEntity, WatcherStartEntity } from './watcher.entity.js';
import { WatcherRepository } from './watcher.repository.js';
import { WatcherService } from './watcher.service.js';
import { Watchers } from './watchers.service.js';
import { WatchersOfMetrics } from './watchers-of-metrics.service.js';

/** Watchers: what an organisation wants to be alerted of, and how. */
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
    TestAlerts,
    WatcherActs,
    WatcherAddresses,
    WatcherAlertsRepository,
    WatcherChecks,
    WatcherConfigKind,
    WatcherLastLook,
    WatcherMetricsRepository,
    WatcherPresenter,
    WatcherReader,
    WatcherRepository,
    WatcherService,
    WatcherStart,
    WatcherStartRepository,
    WatcherWriter,
    Watchers,
    WatchersOfMetrics,
  ],
  exports: [WatcherReader, WatcherWriter, Watchers],
})
export class WatcherModule {}
