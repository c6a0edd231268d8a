import { type AnomalyKind } from '#libs/contracts';
import { type MatchTarget } from '../chips/chips-match.js';
import { type Chip } from '../chips/chips.js';

export interface NamedWatcher {
  id: number;
  name: string;
}

/** Which anomalies a watcher alerts on. */
export interface WatchedAnomalies {
  chips: readonly Chip[];
  /** False: it is one of thresholds, and alerts on no anomaly. */
  hasAnomalies: boolean;
  minSeverity: number;
  minDurationSeconds: number;
  direction: 'both' | 'up' | 'down';
  /** Empty: all. */
  kinds: readonly AnomalyKind[];
}

/** What is known of watchers; implemented by an area above. */
export interface MetricWatcherSource {
  /** Live watchers whose chips select a metric, by the id of the metric. */
  covering(
    orgId: number,
    metrics: readonly (MatchTarget & { id: number })[],
  ): Promise<ReadonlyMap<number, readonly NamedWatcher[]>>;
  /** Null: there is no such live watcher. */
  findWatched(orgId: number, watcherId: number): Promise<WatchedAnomalies | null>;
  /** Live watchers, and those of them that alert. */
  count(orgId: number): Promise<{ total: number; alerting: number }>;
}
