import { type AnomalyKind } from '#libs/contracts';
import { type MatchTarget } from '../chips/chips-match.js';
import { type Chip } from '../chips/chips.js';

export interface NamedWatcher {
  id: number;
  name: string;
}

/** The anomalies that a watcher alerts on. */
export interface WatchedAnomalies {
  chips: readonly Chip[];
  /** False: a threshold watcher, which alerts on no anomaly. */
  hasAnomalies: boolean;
  minSeverity: number;
  minDurationSeconds: number;
  direction: 'both' | 'up' | 'down';
  /** Empty: all. */
  kinds: readonly AnomalyKind[];
}

/** Data about watchers; implemented by a higher area. */
export interface MetricWatcherSource {
  /** Live watchers whose chips select a metric, by id of the metric. */
  covering(
    orgId: number,
    metrics: readonly (MatchTarget & { id: number })[],
  ): Promise<ReadonlyMap<number, readonly NamedWatcher[]>>;
  /** Null: no such live watcher. */
  findWatched(orgId: number, watcherId: number): Promise<WatchedAnomalies | null>;
  /** Number of live watchers, and of those that alert. */
  count(orgId: number): Promise<{ total: number; alerting: number }>;
}
