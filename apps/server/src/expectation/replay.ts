import { detectSeries, type SeriesVerdicts } from '#libs/detection';
import { type MetricType } from '#libs/contracts';

/** A stored series and how its detector is to be set up. */
export interface ReplayRequest {
  timestamps: Float64Array;
  values: Float64Array;
  type: MetricType;
  slotSeconds: number;
  timezone: string;
}

/** Runs the detector over a stored series; the same in a worker thread and in the calling one. */
export function replay({ timestamps, values, type, slotSeconds, timezone }: ReplayRequest): SeriesVerdicts {
  return detectSeries(timestamps, values, { type, slotSeconds, timezone });
}
