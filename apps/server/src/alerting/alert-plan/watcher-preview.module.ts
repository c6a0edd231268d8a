import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExpectationModule } from '../../analysis/expectation/expectation.module.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { AlertPlanEntity } from './alert-plan.entity.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { PastBreaches } from './past-breaches.service.js';
import { WatcherPreviewController } from './watcher-preview.controller.js';
import { WatcherPreview } from './watcher-preview.service.js';

/** The preview of a watcher. Planning itself is AlertPlanModule's. */
@Module({
  imports: [
    AlertPlanModule,
    ExpectationModule,
    MetricModule,
    OrgModule,
    TypeOrmModule.forFeature([AlertPlanEntity]),
    WatcherModule,
  ],
  controllers: [WatcherPreviewController],
  providers: [PastBreaches, WatcherPreview],
})
export class WatcherPreviewModule {}
