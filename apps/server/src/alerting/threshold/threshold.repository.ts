import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY, dateOf, HOUR } from '../../common/time.js';
import { type Chip } from '../../data/chips/chips.js';
import { metricsCoveredBy } from '../../data/chips/covered-metrics.repository.js';
import { ThresholdBreachEntity, ThresholdChangeEntity } from './threshold.entity.js';
import {
  CHANGES_KEPT_DAYS,
  type NewThresholdChange,
  type ThresholdBreach,
  type ThresholdChange,
  type ThresholdWatcher,
} from './threshold.types.js';

/** A metric for matching with chips. */
export interface WatchedMetric {
  id: number;
  name: string;
  labels: Readonly<Record<string, string>>;
  source: string;
  type: string;
  state: string;
  resolutionSeconds: number | null;
  /** Unix seconds; null: it has sent nothing. */
  lastTimestamp: number | null;
  /** All points are history. */
  isOnlyHistory: boolean;
}

const CHANGE = `c.id, c.org_id AS "orgId", c.watcher_id AS "watcherId", c.metric_id AS "metricId", c.type, c.timestamp,
  c.value, c.threshold, c.departure,
  (SELECT jsonb_build_object('name', w.name, 'unit', w.unit, 'type', w.type) FROM metric w WHERE w.id = c.metric_id) AS metric`;
const METRIC = `m.id, m.name, m.labels, m.source, m.type, s.state, m.resolution_seconds AS "resolutionSeconds",
  m.last_timestamp AS "lastTimestamp", m.only_history AS "isOnlyHistory"`;

/** Current breaches, with their watchers and metrics. Times in Unix seconds. */
@Injectable()
export class ThresholdRepository {
  constructor(
    @InjectRepository(ThresholdBreachEntity) private readonly breaches: Repository<ThresholdBreachEntity>,
    @InjectRepository(ThresholdChangeEntity) private readonly changes: Repository<ThresholdChangeEntity>,
  ) {}

  /** Changes whenever a watcher of a threshold is added, changed, deleted or restored, in any organisation. */
  async fingerprint(): Promise<string> {
    const [row] = await this.changes.query<{ fingerprint: string }[]>(
      `SELECT count(*) || '/' || coalesce(sum(hashtextextended(threshold::text || chips::text || name, id)), 0) AS fingerprint
       FROM watcher WHERE type = 'threshold' AND deleted_at IS NULL`,
    );
    return row!.fingerprint;
  }

  /** The existing live threshold watchers of all organisations, by id. */
  watchers(): Promise<ThresholdWatcher[]> {
    return this.changes.query(
      `SELECT w.id, w.org_id AS "orgId", w.name, w.chips, w.threshold AS rule
       FROM watcher w JOIN org o ON o.id = w.org_id
       WHERE w.type = 'threshold' AND w.deleted_at IS NULL AND o.deleted_at IS NULL ORDER BY w.id`,
    );
  }

  /** Metrics of a partition that chips select, without removed ones. */
  selected(
    orgId: number,
    chips: readonly Chip[],
    part: { partitions: number; partition: number },
  ): Promise<WatchedMetric[]> {
    return metricsCoveredBy(this.changes.manager, orgId, chips)
      .innerJoin('metric', 'm', 'm.id = s.metric_id')
      .andWhere('m.id % :partitions = :partition', part)
      .select('m.id', 'id')
      .addSelect('m.name', 'name')
      .addSelect('m.labels', 'labels')
      .addSelect('m.source', 'source')
      .addSelect('m.type', 'type')
      .addSelect('s.state', 'state')
      .addSelect('m.resolution_seconds', 'resolutionSeconds')
      .addSelect('m.last_timestamp', 'lastTimestamp')
      .addSelect('m.only_history', 'isOnlyHistory')
      .getRawMany();
  }

  /** The existing ones of some metrics, of any organisations. */
  metrics(ids: readonly number[]): Promise<WatchedMetric[]> {
    return this.changes.query(
      `SELECT ${METRIC} FROM metric m JOIN metric_search s ON s.metric_id = m.id WHERE m.id = ANY($1::integer[])`,
      [ids],
    );
  }

  /** Current breaches among the metrics of a partition, in all organisations. */
  breached(part: { partitions: number; partition: number }): Promise<ThresholdBreach[]> {
    return this.breaches.query(
      `SELECT org_id AS "orgId", watcher_id AS "watcherId", metric_id AS "metricId", threshold FROM threshold_breach
       WHERE metric_id % $1 = $2`,
      [part.partitions, part.partition],
    );
  }

  /**
   * Returns the changes whose watcher and metric still exist, with their ids, in the given order, except those that were
   * already stored.
   */
  async record(changes: readonly NewThresholdChange[], tx: Tx): Promise<ThresholdChange[]> {
    const rows = changes.map(({ orgId, watcherId, metricId, type, timestamp, value, threshold, departure }, place) => ({
      place,
      org_id: orgId,
      watcher_id: watcherId,
      metric_id: metricId,
      type,
      timestamp,
      value,
      threshold,
      departure,
    }));
    const given = `jsonb_to_recordset($1::jsonb) AS g (place integer, org_id integer, watcher_id integer, metric_id integer,
      type text, timestamp float8, value float8, threshold float8, departure text)`;
    const there = `${given} JOIN watcher w ON w.id = g.watcher_id AND w.org_id = g.org_id
      JOIN metric m ON m.id = g.metric_id AND m.org_id = g.org_id`;
    const json = JSON.stringify(rows);
    // One statement each, because later changes of the same metric build on earlier ones.
    await tx.query(
      `DELETE FROM threshold_breach b USING ${given}
       WHERE b.watcher_id = g.watcher_id AND b.metric_id = g.metric_id`,
      [json],
    );
    await tx.query(
      `INSERT INTO threshold_breach (watcher_id, metric_id, org_id, since_timestamp, threshold)
       SELECT * FROM (
         SELECT DISTINCT ON (g.watcher_id, g.metric_id) g.watcher_id, g.metric_id, g.org_id, g.timestamp,
                CASE g.type WHEN 'breached' THEN g.threshold END AS threshold
         FROM ${there} ORDER BY g.watcher_id, g.metric_id, g.place DESC) AS latest
       WHERE latest.threshold IS NOT NULL`,
      [json],
    );
    return tx.query<ThresholdChange[]>(
      `WITH added AS (
         INSERT INTO threshold_change (org_id, watcher_id, metric_id, type, timestamp, value, threshold, departure)
         SELECT g.org_id, g.watcher_id, g.metric_id, g.type, g.timestamp,
                coalesce(g.value, (
                  SELECT e.value FROM threshold_change e
                  WHERE e.watcher_id = g.watcher_id AND e.metric_id = g.metric_id AND e.type = 'breached'
                  ORDER BY e.timestamp DESC LIMIT 1), g.threshold),
                g.threshold, g.departure
         FROM ${there} ORDER BY g.place
         ON CONFLICT (watcher_id, metric_id, timestamp, type) DO NOTHING
         RETURNING id, org_id, watcher_id, metric_id, type, timestamp, value, threshold, departure)
       SELECT ${CHANGE} FROM added c ORDER BY c.id`,
      [json],
    );
  }

  /** The existing ones among the ids, by id. */
  findMany(orgId: number, ids: readonly number[]): Promise<ThresholdChange[]> {
    return this.changes.query(
      `SELECT ${CHANGE} FROM threshold_change c WHERE c.org_id = $1 AND c.id = ANY($2::integer[]) ORDER BY c.id`,
      [orgId, ids],
    );
  }

  /** Organisations with changes that are not handled yet. */
  async orgsWaiting(): Promise<number[]> {
    const rows = await this.changes.query<{ orgId: number }[]>(
      'SELECT DISTINCT org_id AS "orgId" FROM threshold_change WHERE handled_at IS NULL',
    );
    return rows.map(({ orgId }) => orgId);
  }

  /** The oldest unhandled changes: they count as handled once `tx` ends. */
  takeWaiting(orgId: number, limit: number, now: number, tx: Tx): Promise<ThresholdChange[]> {
    return tx.query(
      `WITH chosen AS MATERIALIZED (
         SELECT id FROM threshold_change WHERE org_id = $1 AND handled_at IS NULL ORDER BY id LIMIT $2
         FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE threshold_change SET handled_at = to_timestamp($3) WHERE id IN (SELECT id FROM chosen)
         RETURNING id, org_id, watcher_id, metric_id, type, timestamp, value, threshold, departure)
       SELECT ${CHANGE} FROM taken c ORDER BY c.id`,
      [orgId, limit, now],
    );
  }

  /** Deletes breaches and recoveries like their alerts, at most `limit`; returns their number. */
  @Housekeeping({
    everyMs: HOUR * 1000,
    failure: 'Old breaches of thresholds could not be forgotten',
    role: 'detect',
    batch: 1000,
  })
  async forgetExpired(now: number, limit: number): Promise<number> {
    const [, count]: [unknown, number] = await this.changes.query(
      `DELETE FROM threshold_change WHERE id IN (
         SELECT id FROM threshold_change WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
      [dateOf(now - CHANGES_KEPT_DAYS * DAY), limit],
    );
    return count;
  }
}
