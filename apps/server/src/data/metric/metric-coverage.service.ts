import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ExclusionDirectoryService } from '../exclusion/exclusion-directory.service.js';
import { ExclusionPresenterService } from '../exclusion/exclusion-presenter.service.js';
import { type Exclusion } from '../exclusion/exclusion.types.js';
import { MetricWatchersService } from './metric-watchers.service.js';
import { type NamedWatcher } from './metric-watchers.types.js';
import { type MetricRecord } from './metric.types.js';

/** The exclusions and watchers of other areas whose chips select a metric. */
@Injectable()
export class MetricCoverageService {
  constructor(
    private readonly exclusions: ExclusionDirectoryService,
    private readonly exclusionRecords: ExclusionPresenterService,
    private readonly watchers: MetricWatchersService,
  ) {}

  exclusionsOf(orgId: number, metric: MetricRecord): Exclusion[] {
    return this.exclusions.findCovering(orgId, metric);
  }

  /** The exclusions of one metric as records. */
  exclusionRecordsOf(caller: KnownCaller, metric: MetricRecord): ReturnType<ExclusionPresenterService['present']> {
    return this.exclusionRecords.present(caller, this.exclusionsOf(caller.org.id, metric));
  }

  /** By id of the metric. */
  watchersOf(orgId: number, metrics: readonly MetricRecord[]): Promise<ReadonlyMap<number, readonly NamedWatcher[]>> {
    return this.watchers.covering(orgId, metrics);
  }
}
