import { Injectable } from '@nestjs/common';
import { type MatchTarget } from '../chips/chips-match.js';
import { type MetricWatcherSource, type NamedWatcher, type WatchedAnomalies } from './metric-watchers.types.js';

const NO_WATCHERS: MetricWatcherSource = {
  covering: () => Promise.resolve(new Map()),
  findWatched: () => Promise.resolve(null),
  count: () => Promise.resolve({ total: 0, alerting: 0 }),
};

/** The watchers of metrics, provided by the area that manages them; none if that area is not loaded. */
@Injectable()
export class MetricWatchersService implements MetricWatcherSource {
  private source = NO_WATCHERS;

  register(source: MetricWatcherSource): void {
    this.source = source;
  }

  covering(
    orgId: number,
    metrics: readonly (MatchTarget & { id: number })[],
  ): Promise<ReadonlyMap<number, readonly NamedWatcher[]>> {
    return this.source.covering(orgId, metrics);
  }

  findWatched(orgId: number, watcherId: number): Promise<WatchedAnomalies | null> {
    return this.source.findWatched(orgId, watcherId);
  }

  count(orgId: number): Promise<{ total: number; alerting: number }> {
    return this.source.count(orgId);
  }
}
