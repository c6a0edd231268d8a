import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrgModule } from '../../people/org/org.module.js';
import { AlertHistoryModule } from '../../analysis/alert-history/alert-history.module.js';
import { AnomalyEntity } from '../../analysis/anomaly/anomaly.entity.js';
import { NoisyMetricsController } from './noisy-metrics.controller.js';
import { NoisyMetricsRepository } from './noisy-metrics.repository.js';
import { NoisyMetricsService } from './noisy-metrics.service.js';

/** Finds the metrics that cause the most alerts, and suggests changes. */
@Module({
  imports: [AlertHistoryModule, TypeOrmModule.forFeature([AnomalyEntity]), OrgModule],
  controllers: [NoisyMetricsController],
  providers: [NoisyMetricsRepository, NoisyMetricsService],
})
export class NoisyMetricsModule {}
