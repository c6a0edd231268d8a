import { Injectable } from '@nestjs/common';
import { MetricService } from '../../data/metric/metric.service.js';
import { WatcherDirectoryService } from '../watcher/watcher-directory.service.js';
import { ThresholdChangesService } from './threshold-changes.service.js';

/** A breach or a recovery for listeners of the event stream. */
export interface ThresholdRecord {
  watcher: { id: number; name: string };
  metric: string;
  metric_id: number;
  value: number;
  threshold: number;
}

/** Breaches and recoveries with the names of their subjects. */
@Injectable()
export class ThresholdRecordsService {
  constructor(
    private readonly changes: ThresholdChangesService,
    private readonly metrics: MetricService,
    private readonly watchers: WatcherDirectoryService,
  ) {}

  /** The existing ones, by id. */
  async findByIds(orgId: number, ids: readonly number[]): Promise<Map<number, ThresholdRecord>> {
    const changes = await this.changes.findByIds(orgId, ids);
    const metrics = new Map(
      (await this.metrics.findByIds(orgId, [...new Set(changes.map(({ metricId }) => metricId))])).map((metric) => [
        metric.id,
        metric.name,
      ]),
    );
    const names = new Map<number, string>();
    for (const id of new Set(changes.map(({ watcherId }) => watcherId))) {
      names.set(id, (await this.watchers.find(orgId, id))?.name ?? '');
    }
    return new Map(
      changes.map(({ id, watcherId, metricId, value, threshold }) => [
        id,
        {
          watcher: { id: watcherId, name: names.get(watcherId)! },
          metric: metrics.get(metricId) ?? '',
          metric_id: metricId,
          value,
          threshold,
        },
      ]),
    );
  }
}
