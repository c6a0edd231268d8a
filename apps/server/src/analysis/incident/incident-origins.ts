import { type IncidentOrigin } from './incident-origin.dto.js';
import { type TokenStatistics, tokensOf } from './incident-tokens.js';
import { type IncidentMember } from './incident.types.js';

const MAX_ORIGINS = 10;
/** A metric that starts this much later than the first is at most half as likely to be the cause. */
const HALF_LIFE_SECONDS = 60;

/** How often a metric was in an earlier incident with others, and how often it was the likeliest origin. */
export interface EarlierIncidents {
  count: number;
  first: number;
}

interface Candidate {
  member: IncidentMember;
  /** Number of others that started later. */
  led: number;
  /** Seconds by which it preceded the median of those. */
  leadSeconds: number;
  /** Share of the others that did not start earlier and have its most widely shared distinctive token, 0 to 1. */
  explained: number;
  shared: { text: string; count: number } | undefined;
  weight: number;
}

/**
 * Likely causes, the likeliest first: by order of start, metrics that follow, share of the incident with a common
 * distinctive token, score, and ranks in earlier incidents. This is a ranking by evidence, not a proof. O(n log n) for
 * n anomalies.
 * @param earlier called only for the candidates for the first ranks
 */
export function rankOrigins(
  members: readonly IncidentMember[],
  statistics: TokenStatistics,
  earlier: ReadonlyMap<number, EarlierIncidents> = new Map(),
): IncidentOrigin[] {
  const firsts = firstOfMetrics(members);
  const others = firsts.length - 1;
  const begin = firsts[0]!.start;
  const starts = firsts.map(({ start }) => start);
  const startsByToken = startsOfTokens(firsts, statistics);
  const candidates = firsts.map((member): Candidate => {
    const led = starts.length - after(starts, member.start);
    const median = starts[starts.length - Math.ceil(led / 2)] ?? member.start;
    const shared = widestShared(member, startsByToken);
    const explained = others === 0 ? 1 : (shared?.count ?? 0) / others;
    const { count = 0, first = 0 } = earlier.get(member.metricId) ?? {};
    const history = count < 2 ? 1 : 0.75 + first / count / 2;
    const weight =
      (0.1 + 0.9 * 2 ** (-(member.start - begin) / HALF_LIFE_SECONDS)) *
      (0.3 + 0.7 * explained) *
      (0.5 + 0.5 * member.score) *
      history;
    return { member, led, leadSeconds: median - member.start, explained, shared, weight };
  });
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  return candidates
    .sort((a, b) => b.weight - a.weight || a.member.start - b.member.start || a.member.metricId - b.member.metricId)
    .slice(0, MAX_ORIGINS)
    .map((candidate, place) => ({
      rank: place + 1,
      metric_id: candidate.member.metricId,
      metric: candidate.member.metricName,
      anomaly_id: candidate.member.anomalyId,
      // Rounded down, so that their sum is at most 1.
      likelihood: Math.floor((1000 * candidate.weight) / total) / 1000,
      reason: reasonOf(candidate, { others, begin, earlier: earlier.get(candidate.member.metricId) }),
    }));
}

/** The first anomaly of each metric, in the order of their starts. */
function firstOfMetrics(members: readonly IncidentMember[]): IncidentMember[] {
  const firsts = new Map<number, IncidentMember>();
  for (const member of members) {
    const known = firsts.get(member.metricId);
    if (known === undefined || member.start < known.start) firsts.set(member.metricId, member);
  }
  return [...firsts.values()].sort((a, b) => a.start - b.start || a.metricId - b.metricId);
}

/** Starts of the metrics with each distinctive token, ascending, if more than one has it. */
function startsOfTokens(
  firsts: readonly IncidentMember[],
  statistics: TokenStatistics,
): ReadonlyMap<string, { text: string; starts: number[] }> {
  const found = new Map<string, { text: string; starts: number[] }>();
  for (const member of firsts) {
    for (const [key, { text }] of tokensOf(member)) {
      if (!statistics.isInformative(key)) continue;
      const known = found.get(key);
      if (known === undefined) found.set(key, { text, starts: [member.start] });
      else known.starts.push(member.start);
    }
  }
  return found;
}

function widestShared(
  member: IncidentMember,
  startsByToken: ReadonlyMap<string, { text: string; starts: number[] }>,
): { text: string; count: number } | undefined {
  let widest: { text: string; count: number } | undefined;
  for (const key of tokensOf(member).keys()) {
    const token = startsByToken.get(key);
    if (token === undefined) continue;
    const count = token.starts.length - before(token.starts, member.start) - 1;
    if (count > (widest?.count ?? 0)) widest = { text: token.text, count };
  }
  return widest;
}

/** Number of elements of the ascending array that are smaller. */
function before(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of elements of the ascending array that are not greater. */
function after(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function reasonOf(
  { member, led, leadSeconds, shared }: Candidate,
  { others, begin, earlier }: { others: number; begin: number; earlier: EarlierIncidents | undefined },
): string {
  if (others === 0) return 'the only metric';
  const late = Math.round(member.start - begin);
  const started = late === 0 ? 'started first' : `started ${String(late)} s after the first`;
  const whom = others === 1 ? '1 other' : `${String(others)} others`;
  const lead = led === 0 ? '' : ` and leads ${String(led)} of ${whom} by ${String(Math.round(leadSeconds))} s`;
  const parts = [started + lead];
  if (shared !== undefined) parts.push(`shares ${shared.text} with ${String(shared.count)} of them`);
  if (earlier !== undefined && earlier.count >= 2 && earlier.first > 0) {
    parts.push(`was first in ${String(earlier.first)} of ${String(earlier.count)} earlier incidents`);
  }
  return parts.join('; ');
}
