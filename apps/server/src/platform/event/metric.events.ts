import { type EventRecorderService } from './event-recorder.service.js';
import { type OrgEvent } from './event.types.js';

interface EventMetric {
  id: number;
  name: string;
}

interface MetricEventsOptions {
  /** Message of the event of one metric. */
  one: (name: string) => string;
  /** Message of the event that many share; `names` are those it names in its details. */
  many: (count: number, names: readonly string[]) => string;
  /** Up to this many metrics have an event each; more of them share one. */
  single?: number;
  /** Names in the details of a shared event. */
  named?: number;
}

const SINGLE = 20;
const NAMED = 100;

/** Records the same event for metrics of one organisation: some singly, many as one with `count` and `metrics` in its details. */
export function recordForMetrics(
  events: Pick<EventRecorderService, 'record'>,
  event: Omit<OrgEvent, 'message' | 'metricId' | 'metric' | 'details'>,
  metrics: readonly EventMetric[],
  { one, many, single = SINGLE, named = NAMED }: MetricEventsOptions,
): void {
  if (metrics.length <= single) {
    for (const { id, name } of metrics) events.record({ ...event, message: one(name), metricId: id, metric: name });
    return;
  }
  const names = metrics.slice(0, named).map(({ name }) => name);
  const details = { count: metrics.length, metrics: names };
  events.record({ ...event, message: many(metrics.length, names), details });
}
