import { Module } from '@nestjs/common';
import { MetricRegistryRepository } from './metric-registry.repository.js';
import { MetricRegistry } from './metric-registry.service.js';

/** Apart from MetricModule, so that ingest and detection need nothing of the metric API. One registry per process. */
@Module({
  providers: [MetricRegistry, MetricRegistryRepository],
  exports: [MetricRegistry],
})
export class MetricRegistryModule {}
