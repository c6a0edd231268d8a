import { type TokenStatistics, tokensOf } from './incident-tokens.js';
import { type IncidentMember } from './incident.types.js';

/** Anomalies that start further apart do not belong together. */
export const TOGETHER_SECONDS = 120;

/** An existing incident. */
export interface KnownIncident {
  id: number;
  members: readonly IncidentMember[];
}

/** Where the new anomalies are placed. */
export interface Placement {
  /** Incidents that turn out to be one, the oldest first; empty: a new one. */
  incidentIds: number[];
  newcomers: IncidentMember[];
}

class Group {
  incidentIds: number[] = [];
  newcomers: IncidentMember[] = [];
  first = Infinity;
  last = -Infinity;
  private mergedInto: Group | undefined;

  /** The group with which this one was merged. */
  get now(): Group {
    return this.mergedInto?.now ?? this;
  }

  cover({ start }: IncidentMember): void {
    this.first = Math.min(this.first, start);
    this.last = Math.max(this.last, start);
  }

  isNear(start: number): boolean {
    return start >= this.first - TOGETHER_SECONDS && start <= this.last + TOGETHER_SECONDS;
  }

  absorb(other: Group): void {
    this.incidentIds.push(...other.incidentIds);
    this.newcomers.push(...other.newcomers);
    this.first = Math.min(this.first, other.first);
    this.last = Math.max(this.last, other.last);
    other.mergedInto = this;
  }
}

/**
 * Anomalies belong together if they start within two minutes of the latest start of the incident and share a
 * distinctive token with one of its anomalies. They may come in any order: one may belong to an incident that began
 * later, and one that belongs to two incidents merges them. The cost grows with the number of anomalies, not with their
 * pairs.
 */
export function placeAnomalies(
  newcomers: readonly IncidentMember[],
  known: readonly KnownIncident[],
  statistics: TokenStatistics,
): Placement[] {
  const groups: Group[] = [];
  const byToken = new Map<string, Set<Group>>();
  const informativeTokensOf = (member: IncidentMember): string[] =>
    [...tokensOf(member).keys(), `metric ${String(member.metricId)}`].filter((key) => statistics.isInformative(key));
  const join = (group: Group, member: IncidentMember, tokens: readonly string[]): void => {
    group.cover(member);
    for (const token of tokens) byToken.set(token, (byToken.get(token) ?? new Set()).add(group));
  };
  for (const { id, members } of known) {
    const group = new Group();
    group.incidentIds.push(id);
    groups.push(group);
    for (const member of members) join(group, member, informativeTokensOf(member));
  }
  for (const member of [...newcomers].sort((a, b) => a.start - b.start || a.anomalyId - b.anomalyId)) {
    const tokens = informativeTokensOf(member);
    const near = new Set<Group>();
    for (const token of tokens) {
      for (const { now } of byToken.get(token) ?? []) if (now.isNear(member.start)) near.add(now);
    }
    const [group = new Group(), ...others] = near;
    if (near.size === 0) groups.push(group);
    for (const other of others) group.absorb(other);
    group.newcomers.push(member);
    join(group, member, tokens);
  }
  return groups
    .filter((group) => group.now === group && group.newcomers.length > 0)
    .map(({ incidentIds, newcomers: placed }) => {
      return { incidentIds: incidentIds.sort((a, b) => a - b), newcomers: placed };
    });
}
