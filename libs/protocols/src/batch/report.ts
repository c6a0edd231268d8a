import { type RefusalReason } from '#libs/contracts';
import { type ParsedBatch } from './parsed-batch.js';
import { excerpt } from './quoted.js';
import { type BadLine, POLICY_REASONS, type ReasonCounts, type Refusals } from './refusals.js';

/** Metrics listed one by one in a report. */
export const MAX_REPORTED_METRICS = 1000;

/** Bad lines shown in a report: enough to recognise a common cause. */
export const MAX_SHOWN_LINES = 3;

/** Characters of the name of a metric in a message. */
const MAX_SHOWN_NAME = 100;

export interface RefusedMetric {
  /** Canonical name, or the text as sent if it is not a metric name. */
  metric: string;
  /** HTTP status of the reason: 400 wrong points, 403 excluded, 429 over quota. The lowest when there are several. */
  status: number;
  accepted: number;
  refused: number;
  reasons: ReasonCounts;
}

/** The outcome for the points of a body. Members `submitted` to `refused` count points. */
export interface IngestReport {
  submitted: number;
  accepted: number;
  refused: number;
  refused_metrics_count: number;
  /** True when `metrics` lists only the first MAX_REPORTED_METRICS. */
  truncated: boolean;
  metrics: RefusedMetric[];
  /** The first MAX_SHOWN_LINES lines, or other places of the body, that could not be read, each with its value and reason. */
  lines: Pick<BadLine, 'line' | 'problem'>[];
}

/** The report of a body: `batch` has the stored points (after dropSeries), `refusals` all others. */
export function buildReport(batch: ParsedBatch, refusals: Refusals): IngestReport {
  const listed = refusals.total === 0 ? [] : [...refusals.metrics].slice(0, MAX_REPORTED_METRICS);
  const accepted = listed.length === 0 ? new Map<string, number>() : pointsByName(batch);
  return {
    submitted: batch.count + refusals.total,
    accepted: batch.count,
    refused: refusals.total,
    refused_metrics_count: refusals.metrics.size,
    truncated: refusals.metrics.size > MAX_REPORTED_METRICS,
    metrics: listed.map(([metric, reasons]) => ({
      metric,
      status: statusOf(reasons),
      accepted: accepted.get(metric) ?? 0,
      refused: Object.values(reasons).reduce((sum, points) => sum + points, 0),
      reasons: { ...reasons },
    })),
    lines: refusals.badLines.slice(0, MAX_SHOWN_LINES).map(({ line, problem }) => ({ line, problem })),
  };
}

/**
 * For people: how many points were refused and why, how many were accepted, the first places in the body, and the first
 * metrics that a policy refused. Empty if none was.
 *
 * @param separator before each place: a line feed where the text is read as such, `; ` where it must be one line
 */
export function describeRefusals(refusals: Refusals, submitted: number, separator = '; '): string {
  if (refusals.total === 0) return '';
  const byReason = new Map<string, number>();
  for (const counts of refusals.metrics.values()) {
    for (const [reason, points] of Object.entries(counts)) byReason.set(reason, (byReason.get(reason) ?? 0) + points);
  }
  const reasons = [...byReason].map(([reason, points]) => `${points} ${reason}`).join(', ');
  const lines = refusals.badLines
    .slice(0, MAX_SHOWN_LINES)
    .map(({ line, problem }) => `${line === null ? '' : `line ${String(line)}: `}${problem}`);
  const policies = [...POLICY_REASONS].filter((reason) => byReason.has(reason));
  const metrics = policies.map((reason) => `${reason}: ${firstMetrics(refusals, reason).join(', ')}`);
  const places = [...lines, ...metrics].map((place) => `${separator}${place}`).join('');
  const { total: omitted } = refusals.omitted;
  const values = omitted === 1 ? 'text value was' : 'text values were';
  const besides = omitted === 0 ? '' : `; ${omitted} ${values} left out; this is not an error`;
  const { total } = refusals;
  return `${total} of ${submitted} points refused: ${reasons}; ${submitted - total} accepted${places}${besides}`;
}

/** The metrics that were first refused for a reason: such points have no line. */
function firstMetrics(refusals: Refusals, reason: RefusalReason): string[] {
  const found: string[] = [];
  for (const [metric, counts] of refusals.metrics) {
    if (counts[reason] === undefined) continue;
    found.push(excerpt(metric, MAX_SHOWN_NAME));
    if (found.length === MAX_SHOWN_LINES) break;
  }
  return found;
}

function pointsByName(batch: ParsedBatch): Map<string, number> {
  const points = new Uint32Array(batch.series.length);
  for (let i = 0; i < batch.count; i++) points[batch.seriesIndex[i]!]!++;
  const byName = new Map<string, number>();
  batch.series.forEach((header, index) => {
    byName.set(header.name, (byName.get(header.name) ?? 0) + points[index]!);
  });
  return byName;
}

function statusOf(reasons: ReasonCounts): number {
  const policy: Partial<Record<RefusalReason, number>> = { excluded: 403, over_quota: 429 };
  const statuses = (Object.keys(reasons) as RefusalReason[]).map((reason) => policy[reason] ?? 400);
  return Math.min(...statuses);
}
