import { anomalyText, commonEventText, type Reader, shownUnit, spanText } from '#libs/wording';
import { type IncidentOrigin } from './incident-origin.dto.js';
import { type EarlierIncidents, rankOrigins } from './incident-origins.js';
import { type TokenStatistics, tokensOf } from './incident-tokens.js';
import { type IncidentFacts, type IncidentMember } from './incident.types.js';

/** Share of the metrics that must have a property for it to name the incident. */
const MOST = 0.8;

export interface FactsContext {
  /** IANA name. */
  timezone: string;
  statistics: TokenStatistics;
  earlier: ReadonlyMap<number, EarlierIncidents>;
}

/** The facts of an incident, derived from its anomalies; there is at least one. */
export function factsOf(members: readonly IncidentMember[], context: FactsContext): IncidentFacts {
  const { timezone, statistics, earlier } = context;
  const starts = members.map(({ start }) => start);
  const metrics = [...new Map(members.map((member) => [member.metricId, member])).values()];
  const isOpen = members.some((member) => member.isOpen);
  const origins = rankOrigins(members, statistics, earlier);
  const times = {
    startTimestamp: least(starts),
    endTimestamp: isOpen ? null : greatest(members.map(({ start, end }) => end ?? start)),
  };
  return {
    state: isOpen ? 'open' : 'resolved',
    title: titleOf(members, metrics, origins, { ...times, timezone, statistics }),
    ...times,
    lastStartTimestamp: greatest(starts),
    severity: greatest(members.map(({ severity }) => severity)),
    anomaliesCount: members.length,
    metricsCount: metrics.length,
    commonLabels: commonLabelsOf(metrics),
    origins,
    backfill: members.every(({ backfill }) => backfill),
  };
}

/**
 * `12 metrics of instance=db-1 since 14:02, first: disk_latency`, `3 metrics of instance=db-1 have had no data since
 * 14:02, first: disk_latency`, `web-1.cpu rose to 93 % (usual 20 to 40 %)`
 */
function titleOf(
  members: readonly IncidentMember[],
  metrics: readonly IncidentMember[],
  origins: readonly IncidentOrigin[],
  context: { startTimestamp: number; endTimestamp: number | null; timezone: string; statistics: TokenStatistics },
): string {
  const { startTimestamp: start, endTimestamp: end, timezone, statistics } = context;
  // The title is stored, and read at any time: it contains days if the incident spans several.
  const reader: Reader = { zone: timezone, now: end ?? greatest(members.map((member) => member.start)) };
  if (metrics.length === 1) return singleTitleOf(members, reader);
  const common = informativeCommon(metrics, statistics);
  const first = metrics.find(({ metricId }) => metricId === origins[0]?.metric_id) ?? metrics[0]!;
  const what = `${String(metrics.length)} metrics${common === undefined ? '' : ` of ${common}`}`;
  const event = commonEventText(
    members.map(({ kind }) => kind),
    end !== null,
  );
  const text = event === null ? what : `${what} ${event}`;
  return `${text} ${spanText({ start, end }, reader)}, first: ${first.displayName}`;
}

/** The worst anomaly of the only metric, among the open ones if there are any. */
function singleTitleOf(members: readonly IncidentMember[], reader: Reader): string {
  const open = members.filter(({ isOpen }) => isOpen);
  const worst = (open.length === 0 ? members : open).reduce((a, b) => (b.severity > a.severity ? b : a));
  const described = { ...worst, unit: shownUnit(worst), end: worst.isOpen ? null : (worst.end ?? worst.start) };
  return `${worst.metricName} ${anomalyText(described, reader)}`;
}

/** The property that most of its metrics and few others share; labels before parts of names. */
function informativeCommon(metrics: readonly IncidentMember[], statistics: TokenStatistics): string | undefined {
  const counts = new Map<string, { text: string; count: number; isLabel: boolean }>();
  for (const metric of metrics) {
    for (const [key, { kind, text }] of tokensOf(metric)) {
      const known = counts.get(key);
      if (known === undefined) counts.set(key, { text, count: 1, isLabel: kind === 'label' });
      else known.count++;
    }
  }
  const [best] = [...counts]
    .filter(([, { count }]) => count >= MOST * metrics.length)
    .map(([key, token]) => ({ ...token, share: statistics.share(key) }))
    .sort(
      (a, b) =>
        Number(b.isLabel) - Number(a.isLabel) || a.share - b.share || b.count - a.count || (a.text < b.text ? -1 : 1),
    );
  return best?.text;
}

function commonLabelsOf(metrics: readonly IncidentMember[]): Record<string, string> {
  const [first, ...others] = metrics;
  const shared = Object.entries(first!.labels).filter(([key, value]) =>
    others.every(({ labels }) => labels[key] === value),
  );
  return Object.fromEntries(shared);
}

// Math.min does not accept thousands of arguments.
const least = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.min(a, b));
const greatest = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b));
