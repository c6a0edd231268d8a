import { type Schema } from '../../lib/api';

/** A metric of an incident with its anomalies, oldest first. */
export interface Member {
  metricId: number;
  metric: string;
  anomalies: Schema<'AnomalyDto'>[];
}

/** The metrics of an incident in the order in which they became unusual. */
export function membersOf(anomalies: readonly Schema<'AnomalyDto'>[]): Member[] {
  const members = new Map<number, Member>();
  for (const anomaly of anomalies) {
    const known = members.get(anomaly.metric_id);
    if (known) known.anomalies.push(anomaly);
    else members.set(anomaly.metric_id, { metricId: anomaly.metric_id, metric: anomaly.metric, anomalies: [anomaly] });
  }
  return [...members.values()];
}

const MIN_BEFORE = 3600;
const MIN_AFTER = 900;

/**
 * The window that shows an incident with the time before it: its duration before it, but at least an hour, and a
 * quarter of its duration after its end, but no later than now. In steps of a minute. Unix seconds.
 */
export function windowAround(
  { started, ended }: { started: number; ended: number | null },
  now: number,
): { from: number; until: number } {
  const latest = Math.max(now, started + 60);
  const end = Math.max(ended ?? now, started);
  const length = end - started;
  const from = started - Math.max(MIN_BEFORE, length);
  const until = Math.min(latest, end + Math.max(MIN_AFTER, length / 4));
  return { from: Math.floor(from / 60) * 60, until: Math.ceil(until / 60) * 60 };
}

/** The value of a line at a time, or otherwise the last earlier value; null in a gap. */
export function valueAt(
  points: readonly (readonly [timestamp: number, value: number | null])[],
  at: number,
): number | null {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle]![0] <= at) low = middle + 1;
    else high = middle;
  }
  return points[low - 1]?.[1] ?? null;
}

/**
 * The members in the order of a page: likely origins by their rank, then the others in the order in which they became
 * unusual. Those in `shown` keep their positions, so that no row moves while it is read when ranks change or a metric
 * joins.
 */
export function inOrder(
  members: readonly Member[],
  origins: readonly { metric_id: number; rank: number }[],
  shown: readonly number[],
): Member[] {
  const byId = new Map(members.map((member) => [member.metricId, member]));
  const ranked = origins.toSorted((a, b) => a.rank - b.rank).map(({ metric_id: id }) => id);
  const ids = new Set([...shown, ...ranked, ...byId.keys()]);
  return [...ids].flatMap((id) => byId.get(id) ?? []);
}
