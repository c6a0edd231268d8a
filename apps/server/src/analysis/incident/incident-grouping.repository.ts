import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY, HOUR } from '../../common/time.js';
import { ENDED_SQL } from '../../data/metric/anomaly-end.functions.js';
import { type EarlierIncidents } from './incident-origins.js';
import { type IncidentFacts, type IncidentMember } from './incident.types.js';

/** How long an incident without anomalies can still be found by its id. */
const EMPTY_KEPT_SECONDS = 30 * DAY;

export interface AnomalyChange {
  id: string;
  anomalyId: number | null;
  incidentId: number | null;
}

export interface ChangedAnomaly extends IncidentMember {
  incidentId: number | null;
  /** Trained and excluded ones belong to no incident. */
  belongs: boolean;
}

export interface StoredFacts extends IncidentFacts {
  id: number;
}

const MEMBER = `a.id AS "anomalyId", a.metric_id AS "metricId", m.name AS "metricName", m.display_name AS "displayName",
  m.labels, m.unit, m.type, a.kind, a.value, a.peak_value AS "peakValue", a.lower, a.upper, a.start_timestamp AS start, ${ENDED_SQL} AS "end", a.severity, a.score, (a.state = 'open') AS "isOpen",
  a.backfill`;

/** Reads changes, and writes incidents. Times in Unix seconds. */
@Injectable()
export class IncidentGroupingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Organisations with pending changes. */
  async changedOrgs(): Promise<number[]> {
    // One step along the index for each of them, however many changes there are.
    const rows: { orgId: number }[] = await this.dataSource.query(
      `WITH RECURSIVE orgs AS (
         (SELECT org_id FROM anomaly_change ORDER BY org_id LIMIT 1)
         UNION ALL
         SELECT (SELECT c.org_id FROM anomaly_change c WHERE c.org_id > o.org_id ORDER BY c.org_id LIMIT 1)
         FROM orgs o WHERE o.org_id IS NOT NULL
       ) SELECT org_id AS "orgId" FROM orgs WHERE org_id IS NOT NULL`,
    );
    return rows.map(({ orgId }) => orgId);
  }

  /** Takes the lock for the incidents of an organisation, held until the transaction ends. */
  async lock(orgId: number, tx: Tx): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [DATABASE_LOCKS.incidents.number, orgId]);
  }

  changes(orgId: number, limit: number, tx: Tx): Promise<AnomalyChange[]> {
    return tx.query(
      `SELECT id, anomaly_id AS "anomalyId", incident_id AS "incidentId" FROM anomaly_change
       WHERE org_id = $1 ORDER BY id LIMIT $2`,
      [orgId, limit],
    );
  }

  /** Exactly these: later changes are still pending. */
  async deleteChanges(orgId: number, ids: readonly string[], tx: Tx): Promise<void> {
    await tx.query('DELETE FROM anomaly_change WHERE org_id = $1 AND id = ANY($2::bigint[])', [orgId, ids]);
  }

  anomalies(orgId: number, ids: readonly number[], tx: Tx): Promise<ChangedAnomaly[]> {
    return tx.query(
      `SELECT ${MEMBER}, l.incident_id AS "incidentId", (a.state NOT IN ('trained', 'excluded')) AS belongs
       FROM anomaly a JOIN metric m ON m.id = a.metric_id LEFT JOIN incident_anomaly l ON l.anomaly_id = a.id
       WHERE a.org_id = $1 AND a.id = ANY($2::integer[]) ORDER BY a.id`,
      [orgId, ids],
    );
  }

  /** Incidents with anomalies that start within a period. */
  async incidentsBetween(orgId: number, from: number, until: number, tx: Tx): Promise<number[]> {
    const rows: { id: number }[] = await tx.query(
      `SELECT id FROM incident
       WHERE org_id = $1 AND start_timestamp <= $3 AND last_start_timestamp >= $2 AND anomalies_count > 0 ORDER BY id`,
      [orgId, from, until],
    );
    return rows.map(({ id }) => id);
  }

  async membersOf(
    orgId: number,
    incidentIds: readonly number[],
    tx: Tx,
  ): Promise<ReadonlyMap<number, IncidentMember[]>> {
    const rows: (IncidentMember & { incidentId: number })[] = await tx.query(
      `SELECT ${MEMBER}, l.incident_id AS "incidentId"
       FROM incident_anomaly l JOIN anomaly a ON a.id = l.anomaly_id JOIN metric m ON m.id = a.metric_id
       WHERE l.org_id = $1 AND l.incident_id = ANY($2::integer[]) ORDER BY a.start_timestamp, a.id`,
      [orgId, incidentIds],
    );
    const members = new Map<number, IncidentMember[]>(incidentIds.map((id) => [id, []]));
    for (const { incidentId, ...member } of rows) members.get(incidentId)!.push(member);
    return members;
  }

  /** Ordered by id. */
  facts(orgId: number, incidentIds: readonly number[], tx: Tx): Promise<StoredFacts[]> {
    return tx.query(
      `SELECT id, state, title, start_timestamp AS "startTimestamp", last_start_timestamp AS "lastStartTimestamp",
              end_timestamp AS "endTimestamp", severity, anomalies_count AS "anomaliesCount",
              metrics_count AS "metricsCount", common_labels AS "commonLabels", origins, backfill
       FROM incident WHERE org_id = $1 AND id = ANY($2::integer[]) ORDER BY id`,
      [orgId, incidentIds],
    );
  }

  /** Creates empty incidents; returns their ids, ascending. */
  async insert(orgId: number, count: number, tx: Tx): Promise<number[]> {
    const rows: { id: number }[] = await tx.query(
      `INSERT INTO incident (org_id, state, title, start_timestamp, last_start_timestamp, severity, anomalies_count,
              metrics_count, common_labels, origins, backfill)
       SELECT o.id, 'open', '', 0, 0, 0, 0, 0, '{}', '[]', false FROM org o, generate_series(1, $2) WHERE o.id = $1
       RETURNING id`,
      [orgId, count],
    );
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  }

  async update(orgId: number, rows: readonly StoredFacts[], tx: Tx): Promise<void> {
    const given = rows.map((row) => ({
      id: row.id,
      state: row.state,
      title: row.title,
      start_timestamp: row.startTimestamp,
      last_start_timestamp: row.lastStartTimestamp,
      end_timestamp: row.endTimestamp,
      severity: row.severity,
      anomalies_count: row.anomaliesCount,
      metrics_count: row.metricsCount,
      common_labels: row.commonLabels,
      origins: row.origins,
      backfill: row.backfill,
    }));
    await tx.query(
      `UPDATE incident i SET state = n.state, title = n.title, start_timestamp = n.start_timestamp,
              last_start_timestamp = n.last_start_timestamp, end_timestamp = n.end_timestamp, severity = n.severity,
              anomalies_count = n.anomalies_count, metrics_count = n.metrics_count, common_labels = n.common_labels,
              origins = n.origins, backfill = n.backfill
       FROM jsonb_to_recordset($2::jsonb) AS n (
              id integer, state text, title text, start_timestamp float8, last_start_timestamp float8,
              end_timestamp float8, severity smallint, anomalies_count integer, metrics_count integer,
              common_labels jsonb, origins jsonb, backfill boolean)
       WHERE i.id = n.id AND i.org_id = $1`,
      [orgId, JSON.stringify(given)],
    );
  }

  /** An anomaly that no longer exists is skipped. */
  async link(orgId: number, links: readonly { anomalyId: number; incidentId: number }[], tx: Tx): Promise<void> {
    await tx.query(
      `INSERT INTO incident_anomaly (anomaly_id, incident_id, org_id)
       SELECT a.id, l.incident_id, $1 FROM unnest($2::integer[], $3::integer[]) AS l (anomaly_id, incident_id)
       JOIN anomaly a ON a.id = l.anomaly_id AND a.org_id = $1
       ORDER BY a.id
       FOR KEY SHARE OF a
       ON CONFLICT (anomaly_id) DO UPDATE SET incident_id = excluded.incident_id`,
      [orgId, links.map(({ anomalyId }) => anomalyId), links.map(({ incidentId }) => incidentId)],
    );
  }

  async unlink(orgId: number, anomalyIds: readonly number[], tx: Tx): Promise<void> {
    await tx.query('DELETE FROM incident_anomaly WHERE org_id = $1 AND anomaly_id = ANY($2::integer[])', [
      orgId,
      anomalyIds,
    ]);
  }

  /** Moves the anomalies of some incidents to another one. */
  async move(orgId: number, from: readonly number[], to: number, tx: Tx): Promise<void> {
    await tx.query(
      'UPDATE incident_anomaly SET incident_id = $3 WHERE org_id = $1 AND incident_id = ANY($2::integer[])',
      [orgId, from, to],
    );
  }

  /** A sample of the metrics of an organisation: ordered by hash, which is as good as random. */
  sample(orgId: number, limit: number): Promise<{ displayName: string; labels: Record<string, string> }[]> {
    return this.dataSource.query(
      `SELECT display_name AS "displayName", labels FROM metric WHERE org_id = $1 ORDER BY name_hash LIMIT $2`,
      [orgId, limit],
    );
  }

  async countStarted(orgId: number, from: number, until: number): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS count FROM anomaly WHERE org_id = $1 AND start_timestamp BETWEEN $2 AND $3`,
      [orgId, from, until],
    );
    return rows[0]!.count;
  }

  /** Ranks of metrics in incidents with several metrics that started in a period. */
  async earlierIncidents(
    orgId: number,
    metricIds: readonly number[],
    { from, until }: { from: number; until: number },
    tx: Tx,
  ): Promise<ReadonlyMap<number, EarlierIncidents>> {
    const rows: (EarlierIncidents & { metricId: number })[] = await tx.query(
      `SELECT a.metric_id AS "metricId", count(DISTINCT i.id)::integer AS count,
              count(DISTINCT i.id) FILTER (WHERE (i.origins -> 0 ->> 'metric_id')::integer = a.metric_id)::integer AS first
       FROM anomaly a JOIN incident_anomaly l ON l.anomaly_id = a.id JOIN incident i ON i.id = l.incident_id
       WHERE a.org_id = $1 AND a.metric_id = ANY($2::integer[]) AND a.start_timestamp >= $3 AND i.last_start_timestamp < $4
         AND i.metrics_count > 1
       GROUP BY a.metric_id`,
      [orgId, metricIds, from, until],
    );
    return new Map(rows.map(({ metricId, count, first }) => [metricId, { count, first }]));
  }

  /**
   * Deletes incidents that have lost all of their anomalies and started 30 days before `now` (Unix seconds); returns
   * their number.
   */
  @Housekeeping({
    everyMs: HOUR * 1000,
    failure: 'Incidents without anomalies could not be dropped',
    role: 'detect',
    batch: 1000,
  })
  async dropEmpty(now: number, limit: number): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM incident WHERE id IN (
         SELECT id FROM incident WHERE anomalies_count = 0 AND last_start_timestamp < $1 LIMIT $2)`,
      [now - EMPTY_KEPT_SECONDS, limit],
    );
    return count;
  }
}
