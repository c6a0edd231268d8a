import { Module } from '@nestjs/common';
import { OrgModule } from '../../people/org/org.module.js';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { TestMetricsController } from './test-metrics.controller.js';
import { TestMetricsService } from './test-metrics.service.js';
import { TestSendRepository } from './test-sends.repository.js';
import { TestSendsService } from './test-sends.service.js';

/** The results of test mode: written by the role `ingest`, answered by the role `api`, which accepts no data. */
@Module({
  imports: [MetricRegistryModule, OrgModule],
  controllers: [TestMetricsController],
  providers: [TestMetricsService, TestSendRepository, TestSendsService],
  exports: [TestSendsService],
})
export class TestMetricsModule {}
