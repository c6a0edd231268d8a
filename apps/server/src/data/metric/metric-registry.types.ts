import { type MetricType } from '#libs/contracts';
import { type Tx } from '../../common/database/transactions.js';
import { type MatchTarget } from '../chips/chips-match.js';

/** What a metric's type rests on, the weakest first: what is said by a stronger source is not changed by a weaker one. */
export const TYPE_SOURCES = ['default', 'detected', 'suffix', 'metadata', 'explicit'] as const;
export type TypeSource = (typeof TYPE_SOURCES)[number];

/** What is known of metrics from outside their points; null = nothing. */
export interface MetricDescription {
  type: MetricType | null;
  typeSource: TypeSource;
  unit: string | null;
  description: string | null;
}

/** Which names an organisation does not want to have analysed at all. */
export interface ExclusionSource {
  /** Another number whenever the answers of `excludes` may have changed. Asked for once per body. */
  generation(orgId: number): number;
  /** Asked for once per name and generation. */
  excludes(orgId: number, name: string): boolean;
}

/** By which terms of detection metrics are judged from their first point on. */
export interface TermsSource {
  /**
   * Asked in the transaction that makes the metrics, which holds the lock of the organisation.
   * @returns the id of the terms of each metric; null: the defaults
   */
  termsOf(orgId: number, metrics: readonly MatchTarget[], tx: Tx): Promise<(number | null)[]>;
}

/**
 * What processes tell each other of metrics.
 * `erased`: gone for ever. `removed`: taken out of the quota until they send again. `redefined`: the type is another one,
 * so values mean something else from here on. `quota_exceeded`: new metrics were refused (without ids).
 */
export type MetricChangeKind = 'erased' | 'removed' | 'redefined' | 'quota_exceeded';

export interface MetricChange {
  orgId: number;
  kind: MetricChangeKind;
  metricIds: readonly number[];
  /** What they are now, when they were redefined; null otherwise. */
  metricType: MetricType | null;
}
