import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ExclusionDirectory } from '../exclusion/exclusion-directory.service.js';
import { MetricRegistry } from '../metric/metric-registry.service.js';

/** Lets the registry of a process that takes data in refuse the data of excluded metrics. */
@Injectable()
export class ExclusionGuard implements OnModuleInit {
  constructor(
    private readonly registry: MetricRegistry,
    private readonly directory: ExclusionDirectory,
  ) {}

  onModuleInit(): void {
    this.registry.useExclusions(this.directory);
  }
}
