import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricEntity } from '../../data/metric/metric.entity.js';
import { MetricModule } from '../../data/metric/metric.module.js';
import { OrgModule } from '../../people/org/org.module.js';
import { RelatedController } from './related.controller.js';
import { RelatedRepository } from './related.repository.js';
import { RelatedService } from './related.service.js';

/** Metrics that are related to a metric. */
@Module({
  imports: [TypeOrmModule.forFeature([MetricEntity]), MetricModule, OrgModule],
  controllers: [RelatedController],
  providers: [RelatedRepository, RelatedService],
  exports: [RelatedService],
})
export class RelatedModule {}
