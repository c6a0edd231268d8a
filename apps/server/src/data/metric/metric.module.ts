import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { ExclusionModule } from '../exclusion/exclusion.module.js';
import { MetricCoverageService } from './metric-coverage.service.js';
import { MetricTotalsService } from './metric-totals.service.js';
import { MetricWatchersService } from './metric-watchers.service.js';
import { MetricController } from './metric.controller.js';
import { MetricEntity, MetricSearchEntity } from './metric.entity.js';
import { MetricRepository } from './metric.repository.js';
import { MetricService } from './metric.service.js';
import { SearchQueue } from './search-queue.js';
import { TimeseriesService } from './timeseries.service.js';

/** Reads metrics and their values. MetricRegistryModule creates them, MetricRemovalModule removes them. */
@Module({
  imports: [TypeOrmModule.forFeature([MetricEntity, MetricSearchEntity]), ExclusionModule, OrgModule, StorageModule],
  controllers: [MetricController],
  providers: [
    MetricCoverageService,
    MetricRepository,
    MetricService,
    MetricTotalsService,
    MetricWatchersService,
    SearchQueue,
    TimeseriesService,
  ],
  exports: [MetricService, MetricWatchersService, TimeseriesService],
})
export class MetricModule {}
