import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ExclusionDirectoryService } from '../exclusion/exclusion-directory.service.js';
import { MetricRegistryService } from '../metric/metric-registry.service.js';

/** Makes the registry of a process that accepts data refuse the data of excluded metrics. */
@Injectable()
export class ExclusionGuardService implements OnModuleInit {
  constructor(
    private readonly registry: MetricRegistryService,
    private readonly directory: ExclusionDirectoryService,
  ) {}

  onModuleInit(): void {
    this.registry.useExclusions(this.directory);
  }
}
