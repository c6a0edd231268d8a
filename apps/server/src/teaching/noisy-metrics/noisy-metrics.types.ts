import { type AnomalyKind } from '#libs/contracts';

export const SUGGESTIONS = ['train', 'tune', 'exclude', 'none'] as const;
export type SuggestionKind = (typeof SUGGESTIONS)[number];

/** Outcomes of the anomalies of a metric in a window. */
export interface NoisyMetricCounts {
  metricId: number;
  metric: string;
  anomalies: number;
  open: number;
  acknowledged: number;
  trained: number;
  confirmed: number;
}

/** The properties of an anomaly that a suggestion uses. Times in Unix seconds. */
export interface NoisyAnomaly {
  metricId: number;
  start: number;
  /** Null while open. */
  end: number | null;
  /** End of its last slot; null while it is open, or if only `end` is known. */
  outUntil: number | null;
  kind: AnomalyKind;
  isConfirmed: boolean;
}

/** Settings of a tuning that would help, in the form of POST /tuning. */
export interface SuggestedTuning {
  min_duration_seconds?: number;
  direction?: 'up' | 'down';
  sensitivity?: number;
}

export interface Suggestion {
  kind: SuggestionKind;
  text: string;
  tuning: SuggestedTuning | null;
}
