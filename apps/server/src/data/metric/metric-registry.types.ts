import { type MetricType } from '#libs/contracts';
import { type Tx } from '../../common/database/transactions.js';
import { type MatchTarget } from '../chips/chips-match.js';

/** Where the type of a metric comes from, weakest first: a weaker source does not change a type from a stronger one. */
export const TYPE_SOURCES = ['default', 'detected', 'suffix', 'metadata', 'explicit'] as const;
export type TypeSource = (typeof TYPE_SOURCES)[number];

/** Known properties of a metric that do not come from its points; null = unknown. */
export interface MetricDescription {
  type: MetricType | null;
  typeSource: TypeSource;
  unit: string | null;
  description: string | null;
}

/** The names that an organisation excludes from analysis. */
export interface ExclusionSource {
  /** Changes whenever results of `excludes` may have changed. Called once per body. */
  generation(orgId: number): number;
  /** Called once per name and generation. */
  excludes(orgId: number, name: string): boolean;
}

/** The detection terms of metrics from their first point on. */
export interface TermsSource {
  /**
   * Called in the transaction that creates the metrics, which has locked the organisation.
   * @returns the id of the terms of each metric; null: the defaults
   */
  termsOf(orgId: number, metrics: readonly MatchTarget[], tx: Tx): Promise<(number | null)[]>;
}

/**
 * Notices between processes about metrics. `erased`: deleted for ever. `removed`: removed from the quota until they
 * send again. `redefined`: the type has changed, so later values have another meaning. `quota_exceeded`: new metrics
 * were refused (without ids).
 */
export type MetricChangeKind = 'erased' | 'removed' | 'redefined' | 'quota_exceeded';

export interface MetricChange {
  orgId: number;
  kind: MetricChangeKind;
  metricIds: readonly number[];
  /** The new type of redefined metrics; null otherwise. */
  metricType: MetricType | null;
}
