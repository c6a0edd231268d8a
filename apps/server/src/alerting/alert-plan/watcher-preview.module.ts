import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { WatcherModule } from '../watcher/watcher.module.js';
import { AlertPlanEntity } from './alert-plan.entity.js';
import { AlertPlanModule } from './alert-plan.module.js';
import { PastAlertsModule } from './past-alerts.module.js';
import { WatcherPreviewController } from './watcher-preview.controller.js';
import { WatcherPreviewService } from './watcher-preview.service.js';

/** The preview of a watcher. AlertPlanModule does the planning itself. */
@Module({
  imports: [AlertPlanModule, OrgModule, PastAlertsModule, TypeOrmModule.forFeature([AlertPlanEntity]), WatcherModule],
  controllers: [WatcherPreviewController],
  providers: [WatcherPreviewService],
})
export class WatcherPreviewModule {}
