import { type Aggregation, type MetricState, type MetricType } from '#libs/contracts';
import { type SeriesTerms } from '#libs/detection';

/** A metric as it stands at a moment. Times in Unix seconds. */
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
  /** Slots seen. */
  points: number;
  /** Values still missing to the first verdict; 0: it is judged. */
  valuesNeeded: number;
  /** Rows come at a steady pace; null: not known yet. */
  isSteady: boolean | null;
  resolutionSeconds: number | null;
  seasonalPeriods: number[];
  /** What its tuning makes of detection; null: the defaults. */
  terms: SeriesTerms | null;
  ready: { range: boolean; daily: boolean; weekly: boolean };
  /** No point of it was sent live. */
  isOnlyHistory: boolean;
  state: MetricState;
  /** Since when an exclusion keeps its data out. */
  excludedTimestamp: number | null;
}
