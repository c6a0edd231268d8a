import { type MetricType } from '#libs/contracts';
import { type AnomalyEvent, detectSeries, type SeriesTerms } from '#libs/detection';

/** A stored series, and the two sets of terms that it is replayed with. */
export interface PreviewRequest {
  timestamps: Float64Array;
  values: Float64Array;
  type: MetricType;
  slotSeconds: number;
  timezone: string;
  before: SeriesTerms;
  after: SeriesTerms;
  /** Anomalies that start before this are omitted, Unix seconds. */
  from: number;
}

export interface PreviewResult {
  before: AnomalyEvent[];
  after: AnomalyEvent[];
}

/** Replays a series twice with the code that judges live points, either in a worker thread or in the calling thread. */
export function previewSeries(request: PreviewRequest): PreviewResult {
  const { timestamps, values, type, slotSeconds, timezone, from } = request;
  const replay = (terms: SeriesTerms): AnomalyEvent[] => {
    const { anomalies } = detectSeries(timestamps, values, { type, slotSeconds, timezone, ...terms });
    const latest = new Map(anomalies.map((event) => [event.startTimestamp, event]));
    return [...latest.values()].filter(({ startTimestamp }) => startTimestamp >= from);
  };
  return { before: replay(request.before), after: replay(request.after) };
}
