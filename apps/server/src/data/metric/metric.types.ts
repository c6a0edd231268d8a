import { type Aggregation, type MetricState, type MetricType } from '#libs/contracts';
import { type SeriesTerms } from '#libs/detection';

/** A metric at a moment. Times in Unix seconds. */
export interface MetricRecord {
  id: number;
  orgId: number;
  /** Canonical. */
  name: string;
  /** Without labels. */
  displayName: string;
  labels: Record<string, string>;
  type: MetricType;
  aggregation: Aggregation;
  unit: string | null;
  description: string | null;
  /** Service id of the first sender. */
  source: string;
  createdTimestamp: number;
  firstTimestamp: number | null;
  lastTimestamp: number | null;
  lastValue: number | null;
  /** Number of slots with points. */
  points: number;
  /** Values missing until the first verdict; 0: it is analysed. */
  valuesNeeded: number;
  /** Rows arrive at a steady interval; null: unknown. */
  isSteady: boolean | null;
  resolutionSeconds: number | null;
  seasonalPeriods: number[];
  /** Detection settings that result from tuning; null: the defaults. */
  terms: SeriesTerms | null;
  ready: { range: boolean; daily: boolean; weekly: boolean };
  /** All points are history. */
  isOnlyHistory: boolean;
  state: MetricState;
  /** Time since which an exclusion refuses its data. */
  excludedTimestamp: number | null;
}
