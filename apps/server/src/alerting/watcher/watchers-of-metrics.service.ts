import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type MatchTarget } from '../../data/chips/chips-match.js';
import { parseChips } from '../../data/chips/chips.js';
import { MetricWatchersService } from '../../data/metric/metric-watchers.service.js';
import {
  type MetricWatcherSource,
  type NamedWatcher,
  type WatchedAnomalies,
} from '../../data/metric/metric-watchers.types.js';
import { WatcherRepository } from './watcher.repository.js';
import { WatcherDirectoryService } from './watcher-directory.service.js';

/** Queries of lower areas about watchers. */
@Injectable()
export class WatchersOfMetricsService implements MetricWatcherSource, OnModuleInit {
  constructor(
    private readonly watchers: WatcherDirectoryService,
    private readonly rows: WatcherRepository,
    private readonly asked: MetricWatchersService,
  ) {}

  onModuleInit(): void {
    this.asked.register(this);
  }

  async covering(
    orgId: number,
    metrics: readonly (MatchTarget & { id: number })[],
  ): Promise<ReadonlyMap<number, readonly NamedWatcher[]>> {
    return this.watchers.covering(orgId, metrics);
  }

  async findWatched(orgId: number, watcherId: number): Promise<WatchedAnomalies | null> {
    const watcher = await this.watchers.find(orgId, watcherId);
    if (watcher?.deletedTimestamp !== null) return null;
    const { minSeverity, minDurationSeconds, direction, kinds } = watcher;
    return {
      chips: parseChips(watcher.chips),
      hasAnomalies: watcher.type === 'anomaly',
      minSeverity,
      minDurationSeconds,
      direction,
      kinds,
    };
  }

  count(orgId: number): Promise<{ total: number; alerting: number }> {
    return this.rows.counts(orgId);
  }
}
