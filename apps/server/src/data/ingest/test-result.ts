import { type MetricType, type RefusalReason } from '#libs/contracts';
import { labelsOf, type ParsedBatch, type ParseResult } from '#libs/protocols';

/** The points that a send in test mode would have stored for one metric. */
export interface TestedMetric {
  name: string;
  labels: Record<string, string>;
  type: MetricType;
  /** Service id of the sender. */
  source: string;
  points: number;
  /** Of the newest point. */
  lastValue: number;
  /** Unix seconds. */
  lastTimestamp: number;
  /** Number of points in the slot of an earlier point, with which they are combined. */
  mergedPoints: number;
}

export interface DroppedMetric {
  metric: string;
  reason: RefusalReason;
}

/** The effect of one send, or of all sends of the last minutes together. */
export interface TestResult {
  metrics: TestedMetric[];
  dropped: DroppedMetric[];
  /** Metrics that were sent without any value. */
  withoutValues: string[];
}

/** Maximum number of items in the result of one test. */
const MAX_TESTED_METRICS = 10_000;

/** Refusal reasons for points without a value. */
const NO_VALUE: ReadonlySet<RefusalReason> = new Set<RefusalReason>(['not_numeric', 'not_finite']);

/**
 * The effect that a body would have had.
 * @param result its batch would be stored
 * @param source service id of the sender
 * @param slotSeconds length of the slots that points are combined in
 */
export function testResultOf(
  { batch, refusals, withoutPoints }: ParseResult,
  source: string,
  slotSeconds: number,
): TestResult {
  const metrics = testedMetrics(batch, source, slotSeconds);
  const dropped: DroppedMetric[] = [];
  const withoutValues = [...withoutPoints, ...refusals.omitted.names].filter((name) => !metrics.has(name));
  for (const [metric, counts] of refusals.metrics) {
    const reasons = Object.keys(counts) as RefusalReason[];
    if (!metrics.has(metric) && reasons.every((reason) => NO_VALUE.has(reason))) withoutValues.push(metric);
    else for (const reason of reasons) dropped.push({ metric, reason });
  }
  return {
    metrics: [...metrics.values()].slice(0, MAX_TESTED_METRICS),
    dropped: dropped.slice(0, MAX_TESTED_METRICS),
    withoutValues: withoutValues.slice(0, MAX_TESTED_METRICS),
  };
}

/** Combines several sends, oldest first. A metric counts as dropped once per reason. */
export function mergeTestResults(results: readonly TestResult[]): TestResult {
  const metrics = new Map<string, TestedMetric>();
  const dropped = new Map<string, DroppedMetric>();
  const withoutValues = new Set<string>();
  for (const result of results) {
    for (const metric of result.metrics) {
      const known = metrics.get(metric.name);
      metrics.set(metric.name, known ? combined(known, metric) : metric);
    }
    for (const drop of result.dropped) dropped.set(`${drop.reason} ${drop.metric}`, drop);
    for (const name of result.withoutValues) withoutValues.add(name);
  }
  return {
    metrics: [...metrics.values()],
    dropped: [...dropped.values()],
    withoutValues: [...withoutValues].filter((name) => !metrics.has(name)),
  };
}

function combined(earlier: TestedMetric, later: TestedMetric): TestedMetric {
  const newest = later.lastTimestamp >= earlier.lastTimestamp ? later : earlier;
  return {
    ...later,
    points: earlier.points + later.points,
    mergedPoints: earlier.mergedPoints + later.mergedPoints,
    lastValue: newest.lastValue,
    lastTimestamp: newest.lastTimestamp,
  };
}

function testedMetrics(batch: ParsedBatch, source: string, slotSeconds: number): Map<string, TestedMetric> {
  const metrics = new Map<string, TestedMetric>();
  const slots = new Map<string, Set<number>>();
  for (let row = 0; row < batch.count; row++) {
    const { name, type } = batch.series[batch.seriesIndex[row]!]!;
    const timestamp = batch.timestamps[row]!;
    const value = batch.values[row]!;
    let metric = metrics.get(name);
    if (!metric) {
      metric = {
        ...{ name, labels: labelsOf(name), type: type ?? 'gauge', source },
        ...{ points: 0, lastValue: value, lastTimestamp: timestamp, mergedPoints: 0 },
      };
      metrics.set(name, metric);
      slots.set(name, new Set());
    }
    metric.points++;
    if (timestamp >= metric.lastTimestamp) {
      metric.lastTimestamp = timestamp;
      metric.lastValue = value;
    }
    slots.get(name)?.add(Math.floor(timestamp / slotSeconds));
  }
  for (const [name, metric] of metrics) metric.mergedPoints = metric.points - slots.get(name)!.size;
  return metrics;
}
