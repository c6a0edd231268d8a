import { type AnomalyKind } from '#libs/contracts';
import { DAY } from '../../common/time.js';
import { type BenchmarkModelId } from './benchmark-models.types.js';

export const BENCHMARK_KEPT_SECONDS = 7 * DAY;

/** Points of a series. */
export const MAX_POINTS = 200_000;

export const BENCHMARK_STATUSES = ['queued', 'running', 'finished', 'failed'] as const;
export type BenchmarkStatus = (typeof BENCHMARK_STATUSES)[number];

/** Start and end of a known anomaly, Unix seconds, both inclusive. */
export type BenchmarkLabel = readonly [from: number, until: number];

/** Points of one series in chronological order. Timestamps in Unix seconds. */
export interface BenchmarkSeries {
  timestamps: Float64Array;
  values: Float64Array;
}

/** An anomaly that a model found. Times in Unix seconds. */
export interface FoundAnomaly {
  from: number;
  until: number;
  peakTimestamp: number;
  /** Analysed value at the peak; null for missing data. */
  value: number | null;
  /** 0..1 */
  score: number;
  kind: AnomalyKind;
}

/** Quality of the anomalies of a model, compared with the labels. Ratios are null if undefined. */
export interface LabelFigures {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  nabScore: number | null;
}

/** The progress of a model, and a summary of its results. */
export interface ModelProgress {
  id: BenchmarkModelId;
  status: BenchmarkStatus;
  runtimeSeconds: number | null;
  anomaliesCount: number | null;
  message: string;
  figures: LabelFigures | null;
}

/** Rows of a series for charts, with the results of a model. Columns of equal length. */
export interface ChartColumns {
  timestamps: Float64Array;
  /** Analysed values: rates for counters. */
  values: Float64Array;
  /** NaN while unknown, or if the model has no range. */
  lower: Float64Array;
  upper: Float64Array;
  /** The highest score, 0..1, from this row up to the next stored one. */
  scores: Float64Array;
}
