import { type MetricType } from '#libs/contracts';

/**
 * `pending`: nothing was published yet. `matched`: a pattern is alike so far. `unconfirmed`: it was opened because the
 * check had no result in time. `open`: it was opened, and patterns that suppress nothing are compared with it.
 */
export type CandidateState = 'pending' | 'matched' | 'unconfirmed' | 'open';

export const MATCH_TYPES = ['shape', 'shape_scaled', 'layers', 'motif'] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** A match with data of its pattern and metric. Times in Unix seconds. */
export interface Match {
  id: number;
  orgId: number;
  metricId: number;
  metricName: string;
  metricType: MetricType;
  metricUnit: string | null;
  patternId: number;
  patternLabel: string;
  duration: number;
  startTimestamp: number;
  matchType: MatchType;
  similarity: number;
  distance: number;
  shapeIndex: number;
  windowStart: number;
  windowSlots: number;
  areaPercent: number;
  explanation: string;
  value: number | null;
  score: number;
  lower: number | null;
  upper: number | null;
  validated: boolean | null;
  validatedBy: number | null;
  validatedTimestamp: number | null;
  anomalyId: number | null;
}
