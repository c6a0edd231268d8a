import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { AnomalyEntity } from '../anomaly/anomaly.entity.js';
import { ExpectationModule } from '../expectation/expectation.module.js';
import { SparklineController } from './sparkline.controller.js';
import { SparklineRepository } from './sparkline.repository.js';
import { SparklineService } from './sparkline.service.js';

/** Small graphs of many metrics, for lists. */
@Module({
  imports: [TypeOrmModule.forFeature([AnomalyEntity]), ExpectationModule, MetricModule, OrgModule],
  controllers: [SparklineController],
  providers: [SparklineRepository, SparklineService],
})
export class SparklineModule {}
