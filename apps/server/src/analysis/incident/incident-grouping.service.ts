import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { NotificationDrivenWork } from '../../common/database/notification-driven-work.js';
import { DAY, MINUTE } from '../../common/time.js';
import { OrgService } from '../../people/org/org.service.js';
import { StreamLogService } from '../../platform/stream-log/stream-log.service.js';
import { type StreamEvent } from '../../platform/stream-log/stream-log.types.js';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { factsOf } from './incident-facts.js';
import { placeAnomalies, TOGETHER_SECONDS } from './incident-grouping.js';
import { type ChangedAnomaly, IncidentGroupingRepository, type StoredFacts } from './incident-grouping.repository.js';
import { IncidentOrgEventsService } from './incident-org-events.service.js';
import { rankOrigins } from './incident-origins.js';
import { TokenStatistics } from './incident-tokens.js';
import { ANOMALY_CHANGE_CHANNEL, type IncidentFacts, type IncidentMember } from './incident.types.js';

const EVERY_MS = 1000;
/** Maximum number of changes per transaction. */
const STEP = 2000;
const SAMPLE = 1000;
const STATISTICS_KEPT_MS = 10 * 60_000;
const MAX_ORGS_KEPT = 1000;
/** Length of the past in which first ranks of metrics are counted. */
const HISTORY_SECONDS = 90 * DAY;
/** The usual rate of the newest period is not known yet. */
const UNUSUAL_SECONDS = 10 * MINUTE;

/** The result for an incident. */
export interface IncidentChange {
  type: 'opened' | 'updated' | 'closed';
  incident: StoredFacts;
}

/**
 * Groups anomalies into incidents as soon as they exist, in one process at a time. The transactions that change
 * anomalies write the pending work to the database, and the one that groups removes it: nothing is lost if the process
 * dies, and work that arrived while none ran is done later.
 */
@Injectable()
export class IncidentGroupingService extends NotificationDrivenWork {
  private readonly statistics = new LRUCache<number, TokenStatistics>({ max: MAX_ORGS_KEPT, ttl: STATISTICS_KEPT_MS });

  constructor(
    private readonly incidents: IncidentGroupingRepository,
    private readonly orgs: OrgService,
    private readonly events: IncidentOrgEventsService,
    private readonly stream: StreamLogService,
    private readonly transactions: Transactions,
    private readonly locks: AdvisoryLocks,
    private readonly clock: Clock,
  ) {
    super(
      { everyMs: EVERY_MS, failure: 'Anomalies could not be grouped into incidents', logEvery: 60, role: 'detect' },
      ANOMALY_CHANGE_CHANNEL,
      EVERY_MS,
    );
  }

  protected async work(): Promise<void> {
    const orgIds = await this.incidents.changedOrgs();
    if (orgIds.length === 0) return;
    await this.locks.runAlone(DATABASE_LOCKS.incidents.number, 0, async () => {
      for (const orgId of orgIds) await this.repeat(STEP, () => this.groupSome(orgId));
    });
  }

  /** Returns the number of changes. */
  private async groupSome(orgId: number): Promise<number> {
    const org = await this.orgs.find(orgId);
    const statistics = await this.statisticsOf(orgId);
    return this.transactions.run(async (tx) => {
      await this.incidents.lock(orgId, tx);
      const todo = await this.incidents.changes(orgId, STEP, tx);
      const touched = org ? await this.place(orgId, todo, statistics, tx) : [];
      const created = org ? await this.describe(orgId, touched, { timezone: org.timezone, statistics }, tx) : [];
      await this.incidents.deleteChanges(
        orgId,
        todo.map(({ id }) => id),
        tx,
      );
      this.events.record(orgId, created, tx);
      await this.stream.append(streamEventsOf(orgId, created), tx);
      return todo.length;
    });
  }

  /** Assigns every anomaly to its incident; returns the incidents whose description must be updated. */
  private async place(
    orgId: number,
    changes: readonly { anomalyId: number | null; incidentId: number | null }[],
    statistics: TokenStatistics,
    tx: Tx,
  ): Promise<number[]> {
    const touched = new Set(changes.map(({ incidentId }) => incidentId).filter((id) => id !== null));
    const ids = [...new Set(changes.map(({ anomalyId }) => anomalyId))].filter((id) => id !== null);
    const anomalies = ids.length === 0 ? [] : await this.incidents.anomalies(orgId, ids, tx);
    for (const { incidentId } of anomalies) if (incidentId !== null) touched.add(incidentId);
    const detached = anomalies.filter(({ belongs, incidentId }) => !belongs && incidentId !== null);
    if (detached.length > 0) {
      await this.incidents.unlink(
        orgId,
        detached.map(({ anomalyId }) => anomalyId),
        tx,
      );
    }
    const newcomers = anomalies.filter(({ belongs, incidentId }) => belongs && incidentId === null);
    if (newcomers.length > 0)
      for (const id of await this.placeNewcomers(orgId, newcomers, statistics, tx)) touched.add(id);
    return [...touched];
  }

  private async placeNewcomers(
    orgId: number,
    newcomers: readonly ChangedAnomaly[],
    statistics: TokenStatistics,
    tx: Tx,
  ): Promise<number[]> {
    const starts = newcomers.map(({ start }) => start).sort((a, b) => a - b);
    const [from, until] = [starts[0]! - TOGETHER_SECONDS, starts.at(-1)! + TOGETHER_SECONDS];
    const near = await this.incidents.incidentsBetween(orgId, from, until, tx);
    const members = await this.incidents.membersOf(orgId, near, tx);
    const known = near.map((id) => ({ id, members: members.get(id)! }));
    const placements = placeAnomalies(newcomers, known, statistics);
    const created = await this.incidents.insert(
      orgId,
      placements.filter(({ incidentIds }) => incidentIds.length === 0).length,
      tx,
    );
    const touched: number[] = [];
    const links: { anomalyId: number; incidentId: number }[] = [];
    for (const { incidentIds, newcomers: placed } of placements) {
      const [incidentId = created.shift()!, ...absorbed] = incidentIds;
      if (absorbed.length > 0) await this.incidents.move(orgId, absorbed, incidentId, tx);
      links.push(...placed.map(({ anomalyId }) => ({ anomalyId, incidentId })));
      touched.push(incidentId, ...absorbed);
    }
    await this.incidents.link(orgId, links, tx);
    return touched;
  }

  /** Writes the facts of incidents, derived from their anomalies; returns the changes. */
  private async describe(
    orgId: number,
    incidentIds: readonly number[],
    { timezone, statistics }: { timezone: string; statistics: TokenStatistics },
    tx: Tx,
  ): Promise<IncidentChange[]> {
    if (incidentIds.length === 0) return [];
    const stored = await this.incidents.facts(orgId, incidentIds, tx);
    const members = await this.incidents.membersOf(orgId, incidentIds, tx);
    const changes: IncidentChange[] = [];
    for (const before of stored) {
      const now = members.get(before.id)!;
      const facts =
        now.length === 0
          ? emptied(before, this.clock.now())
          : factsOf(now, { timezone, statistics, earlier: await this.earlier(orgId, now, statistics, tx) });
      if (isSame(before, facts)) continue;
      changes.push({ type: changeOf(before, facts), incident: { ...facts, id: before.id } });
    }
    await this.incidents.update(
      orgId,
      changes.map(({ incident }) => incident),
      tx,
    );
    return changes;
  }

  /** Earlier ranks of the metrics that are likely origins by all other evidence. */
  private async earlier(orgId: number, members: readonly IncidentMember[], statistics: TokenStatistics, tx: Tx) {
    const likely = rankOrigins(members, statistics).map((origin) => origin.metric_id);
    if (likely.length < 2) return new Map<number, never>();
    const until = members[0]!.start;
    return this.incidents.earlierIncidents(orgId, likely, { from: until - HISTORY_SECONDS, until }, tx);
  }

  private async statisticsOf(orgId: number): Promise<TokenStatistics> {
    const known = this.statistics.get(orgId);
    if (known) return known;
    const until = this.clock.now() - UNUSUAL_SECONDS;
    const [sample, started] = await Promise.all([
      this.incidents.sample(orgId, SAMPLE),
      this.incidents.countStarted(orgId, until - DAY, until),
    ]);
    const created = new TokenStatistics(sample, (started * 2 * TOGETHER_SECONDS) / DAY);
    this.statistics.set(orgId, created);
    return created;
  }
}

/** Listeners watch current events; incidents in backfilled history are only in the lists. */
function streamEventsOf(orgId: number, changes: readonly IncidentChange[]): StreamEvent[] {
  return changes
    .filter(({ incident }) => !incident.backfill)
    .map(({ type, incident }) => ({ orgId, type: `incident.${type}` as const, subjectId: incident.id }));
}

/** It has lost all of its anomalies: it is over. */
function emptied(before: StoredFacts, now: number): IncidentFacts {
  const { id: _, ...facts } = before;
  const endTimestamp = before.endTimestamp ?? Math.max(before.lastStartTimestamp, Math.floor(now));
  return { ...facts, state: 'resolved', endTimestamp, anomaliesCount: 0, metricsCount: 0, origins: [] };
}

function changeOf(before: StoredFacts, after: IncidentFacts): IncidentChange['type'] {
  const wasOpen = before.anomaliesCount > 0 && before.state === 'open';
  if (after.state === 'open') return wasOpen ? 'updated' : 'opened';
  return wasOpen || before.anomaliesCount === 0 ? 'closed' : 'updated';
}

function isSame({ id: _, ...before }: StoredFacts, after: IncidentFacts): boolean {
  const inOrder = (facts: IncidentFacts) =>
    JSON.stringify([
      facts.state,
      facts.title,
      facts.startTimestamp,
      facts.lastStartTimestamp,
      facts.endTimestamp,
      facts.severity,
      facts.anomaliesCount,
      facts.metricsCount,
      Object.entries(facts.commonLabels).sort(([a], [b]) => (a < b ? -1 : 1)),
      facts.origins.map(({ metric_id, anomaly_id, likelihood, reason }) => [metric_id, anomaly_id, likelihood, reason]),
      facts.backfill,
    ]);
  return inOrder(before) === inOrder(after);
}
