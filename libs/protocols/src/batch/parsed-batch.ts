import { type Aggregation, type MetricType } from '#libs/contracts';
import { type Refusals } from './refusals.js';

/** The data of a body about one metric. Members that neither the protocol nor the sender defines are null. */
export interface SeriesHeader {
  /** Canonical name (see names/), which `displayNameOf` and `labelsOf` parse. */
  name: string;
  type: MetricType | null;
  /**
   * The source of the type: the sender, metadata of the body, or the ending of the name. Omitted: the usual source of
   * the protocol.
   */
  typeSource?: 'explicit' | 'metadata' | 'suffix';
  unit: string | null;
  description: string | null;
  aggregation: Aggregation | null;
  /** True when the points are history: the detector learns from them, no alerts are sent. */
  backfill: boolean;
}

/**
 * Accepted points as columns; row i of every column is one point, in the order of the body.
 * A metric that is sent both live and as backfill, or spelled in several ways, may have several headers of one name.
 */
export interface ParsedBatch {
  series: SeriesHeader[];
  /** Index into `series`. */
  seriesIndex: Uint32Array;
  /** Unix seconds, fractions allowed. */
  timestamps: Float64Array;
  /** Always finite. */
  values: Float64Array;
  count: number;
}

/** The result of every parser: points to store, and points refused with their reasons. */
export interface ParseResult {
  batch: ParsedBatch;
  refusals: Refusals;
  /** Metrics that appear in the body without any point, valid or not. */
  withoutPoints: readonly string[];
}
