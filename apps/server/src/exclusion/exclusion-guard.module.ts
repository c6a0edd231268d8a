import { Module, type OnModuleInit } from '@nestjs/common';
import { MetricRegistryModule } from '../metric/metric-registry.module.js';
import { MetricRegistry } from '../metric/metric-registry.service.js';
import { ExclusionDirectory } from './exclusion-directory.service.js';
import { ExclusionRecordsModule } from './exclusion-records.module.js';

/** Lets the registry refuse data of excluded metrics: for processes that take data in. */
@Module({ imports: [ExclusionRecordsModule, MetricRegistryModule] })
export class ExclusionGuardModule implements OnModuleInit {
  constructor(
    private readonly registry: MetricRegistry,
    private readonly directory: ExclusionDirectory,
  ) {}

  onModuleInit(): void {
    this.registry.useExclusions(this.directory);
  }
}
