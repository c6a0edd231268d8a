import { Module } from '@nestjs/common';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { OrgModule } from '../org/org.module.js';
import { TestMetricsController } from './test-metrics.controller.js';
import { TestMetricsService } from './test-metrics.service.js';
import { TestSendsModule } from './test-sends.module.js';

/** The part of ingest that belongs to the API: what test mode found. */
@Module({
  imports: [TestSendsModule, MetricRegistryModule, OrgModule],
  controllers: [TestMetricsController],
  providers: [TestMetricsService],
})
export class TestMetricsModule {}
