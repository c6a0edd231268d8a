import { type MetricType } from '#libs/contracts';
import { composeSanitised, isNameProblem, type LabelPair } from '../names/metric-name.js';
import { describeSeries } from '../prometheus/metadata.js';
import { BatchBuilder } from './batch-builder.js';
import { type ParseLimits } from './limits.js';
import { type ParseResult } from './parsed-batch.js';

/** A series that was fetched rather than sent. */
export interface FetchedSeries {
  name: string;
  labels: readonly LabelPair[];
  /** Unix seconds. */
  timestamps: readonly number[];
  /** Parallel to `timestamps`. */
  values: readonly number[];
}

export interface FetchedOptions {
  /** Null: determined by the ending of the name if `isTypedByName`, else by detection. */
  type: MetricType | null;
  isTypedByName: boolean;
  unit: string | null;
  /** Unix seconds; older points are history. */
  liveFrom: number;
}

/**
 * Converts series of another store to a batch, under the common rules for names and times. Names are sanitised.
 * O(points).
 */
export function collectFetched(
  series: readonly FetchedSeries[],
  { type, isTypedByName, unit, liveFrom }: FetchedOptions,
  limits: ParseLimits,
): ParseResult {
  const builder = new BatchBuilder(limits);
  for (const { name, labels, timestamps, values } of series) {
    const parsed = composeSanitised(name, labels, limits);
    if (isNameProblem(parsed)) {
      builder.refuse(name, parsed.reason, timestamps.length);
      continue;
    }
    for (let row = 0; row < timestamps.length; row++) {
      const timestamp = timestamps[row]!;
      builder.add(builder.series(parsed, timestamp < liveFrom), timestamp, values[row]!);
    }
  }
  const result = builder.finish();
  const { series: headers } = result.batch;
  if (type === null && isTypedByName) describeSeries(headers, []);
  for (const header of headers) {
    if (type !== null) Object.assign(header, { type, typeSource: 'explicit' });
    else if (header.type !== null) header.typeSource = 'suffix';
    if (unit !== null) header.unit = unit;
  }
  return result;
}
