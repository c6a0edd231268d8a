import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MetricRegistryModule } from '../../data/metric/metric-registry.module.js';
import { NewMetricTermsService } from './new-metric-terms.service.js';
import { TuningApplicationService } from './tuning-application.service.js';
import { TuningApplicationEntity, TuningEntity } from './tuning.entity.js';
import { TuningRepository } from './tuning.repository.js';

/**
 * Applies tunings to metrics: to existing ones in the role `detect`, to new ones in every process that creates metrics.
 */
@Module({
  imports: [MetricRegistryModule, TypeOrmModule.forFeature([TuningApplicationEntity, TuningEntity])],
  providers: [NewMetricTermsService, TuningApplicationService, TuningRepository],
  exports: [TuningRepository],
})
export class TuningApplicationModule {}
