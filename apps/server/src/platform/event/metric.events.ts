import { type EventRecorderService } from './event-recorder.service.js';
import { type OrgEvent } from './event.types.js';

interface EventMetric {
  id: number;
  name: string;
}

interface MetricEventsOptions {
  /** Message of the event of one metric. */
  one: (name: string) => string;
  /** Message of an event for many metrics; `names` are the metrics that its details name. */
  many: (count: number, names: readonly string[]) => string;
  /** Maximum number of metrics with an event each; more of them share one. */
  single?: number;
  /** Maximum number of names in the details of a shared event. */
  named?: number;
}

const SINGLE = 20;
const NAMED = 100;

/**
 * Records the same event for metrics of one organisation: a few metrics get an event each, many share one with `count`
 * and `metrics` in its details.
 */
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
