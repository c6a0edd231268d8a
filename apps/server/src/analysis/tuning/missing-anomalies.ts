/** When an anomaly of a metric was; null: it goes on. Unix seconds. */
export interface Span {
  metric: string;
  from: number;
  until: number | null;
}

/** How many anomalies overlap none of the other ones of their metric. Those of a metric never overlap each other. */
export function countMissing(anomalies: readonly Span[], others: readonly Span[]): number {
  const byMetric = new Map<string, Span[]>();
  for (const other of others) {
    const known = byMetric.get(other.metric);
    if (known) known.push(other);
    else byMetric.set(other.metric, [other]);
  }
  for (const list of byMetric.values()) list.sort((one, other) => one.from - other.from);
  return anomalies.filter(({ metric, from, until }) => {
    const last = lastBegun(byMetric.get(metric) ?? [], until ?? Infinity);
    // The last to begin is the last to end.
    return last === undefined || (last.until ?? Infinity) < from;
  }).length;
}

/** The last one that has begun by a time, of a list in order. */
function lastBegun(spans: readonly Span[], time: number): Span | undefined {
  let first = 0;
  let end = spans.length;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (spans[middle]!.from <= time) first = middle + 1;
    else end = middle;
  }
  return spans[first - 1];
}
