import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AlertChannel, type AlertKind, type AlertPhase, type Suppression } from '#libs/alerting';
import { type AlertedAnomaly } from '../../analysis/alert-history/alert-history.types.js';
import { type DeliveryState } from '../../analysis/alert-history/delivery-state.types.js';
import { DAY } from '../../common/time.js';
import { type Window } from '../../common/window/window.js';
import { type AlertCounts, type DeliveryFilter, type DeliveryTrouble } from './alert.types.js';

/** A message as it is shown. Times in Unix seconds. */
export interface DeliveryRecord {
  id: number;
  kind: AlertKind;
  phase: AlertPhase;
  title: string;
  anomalyId: number | null;
  watcherId: number | null;
  watcherName: string | null;
  channel: AlertChannel;
  recipient: string;
  userId: number | null;
  state: DeliveryState;
  suppressedBy: Suppression | null;
  tries: number;
  message: string;
  timestamp: number;
}

/** Alerts that count: of anomalies and thresholds, whose first message was sent. */
const SENT_FIRST = `d.state = 'sent' AND d.phase = 'opened' AND a.counts AND a.kind IN ('anomaly', 'threshold')`;

/** Messages with those of the metrics `$4` that they were about; joined, because lists may have many thousands. */
const NOTIFIED_METRICS = `alert_delivery d JOIN alert a ON a.id = d.alert_id JOIN alert_subject s ON s.alert_id = a.id
         CROSS JOIN LATERAL unnest(s.metric_ids) AS told (id) JOIN unnest($4::integer[]) AS asked (id) ON asked.id = told.id`;

/** Reads alerts and their messages. */
@Injectable()
export class AlertRecordsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  list(orgId: number, filter: DeliveryFilter, limit: number): Promise<DeliveryRecord[]> {
    const [condition, value] = conditionOf(filter);
    return this.dataSource.query(
      `SELECT d.id, a.kind, d.phase,
              -- A message of an earlier version has only the latest title of its alert.
              coalesce(d.content ->> 'title', d.title, a.content ->> 'title') AS title,
              coalesce(a.anomaly_id, $4) AS "anomalyId", a.watcher_id AS "watcherId",
              a.watcher_name AS "watcherName", d.channel, d.recipient, d.user_id AS "userId", d.state,
              d.suppressed_by AS "suppressedBy", d.tries, d.message,
              extract(epoch FROM coalesce(d.settled_at, d.created_at))::float8 AS timestamp
       FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
       WHERE d.org_id = $1 AND ${condition} ORDER BY d.id DESC LIMIT $3`,
      [orgId, value, limit, 'anomalyId' in filter ? filter.anomalyId : null],
    );
  }

  listOutcomes(
    orgId: number,
    alertId: number,
  ): Promise<{ channel: AlertChannel; recipient: string; state: DeliveryState; message: string }[]> {
    return this.dataSource.query(
      `SELECT channel, recipient, state, message FROM alert_delivery WHERE org_id = $1 AND alert_id = $2 ORDER BY id`,
      [orgId, alertId],
    );
  }

  async hasAlerts(orgId: number, watcherId: number, keyStart: string): Promise<boolean> {
    const rows: object[] = await this.dataSource.query(
      'SELECT FROM alert WHERE org_id = $1 AND watcher_id = $2 AND starts_with(key, $3) LIMIT 1',
      [orgId, watcherId, keyStart],
    );
    return rows.length > 0;
  }

  /** The first message about each anomaly; those without any are omitted. */
  listAlerted(orgId: number, anomalyIds: readonly number[]): Promise<AlertedAnomaly[]> {
    return this.dataSource.query(
      `SELECT asked.id AS "anomalyId", extract(epoch FROM min(d.settled_at))::float8 AS timestamp
       FROM alert_subject s CROSS JOIN LATERAL unnest(s.anomaly_ids) AS told (id)
       JOIN unnest($2::integer[]) AS asked (id) ON asked.id = told.id
       JOIN alert a ON a.id = s.alert_id JOIN alert_delivery d ON d.alert_id = a.id
       WHERE a.org_id = $1 AND s.anomaly_ids && $2::integer[] AND ${SENT_FIRST}
       GROUP BY asked.id`,
      [orgId, anomalyIds],
    );
  }

  async count(orgId: number, now: number): Promise<AlertCounts> {
    const rows: AlertCounts[] = await this.dataSource.query(
      `SELECT count(DISTINCT a.id) FILTER (WHERE ${SENT_FIRST} AND d.settled_at >= to_timestamp($2))::integer
                AS "last24h",
              count(DISTINCT a.id) FILTER (WHERE ${SENT_FIRST})::integer AS "last7d",
              count(DISTINCT a.id) FILTER (WHERE d.state = 'suppressed' AND a.counts)::integer AS "suppressed7d"
       FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
       WHERE d.org_id = $1 AND d.settled_at >= to_timestamp($3)`,
      [orgId, now - DAY, now - 7 * DAY],
    );
    return rows[0]!;
  }

  async countSent(orgId: number, { from, until }: Window): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(
      `SELECT count(DISTINCT a.id)::integer AS count
       FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
       WHERE d.org_id = $1 AND d.settled_at BETWEEN to_timestamp($2) AND to_timestamp($3) AND ${SENT_FIRST}`,
      [orgId, from, until],
    );
    return rows[0]!.count;
  }

  async countSentOf(orgId: number, { from, until }: Window, metricIds: readonly number[]): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(
      `SELECT count(DISTINCT a.id)::integer AS count
       FROM ${NOTIFIED_METRICS}
       WHERE d.org_id = $1 AND d.settled_at BETWEEN to_timestamp($2) AND to_timestamp($3) AND ${SENT_FIRST}`,
      [orgId, from, until, metricIds],
    );
    return rows[0]!.count;
  }

  countSentByMetric(
    orgId: number,
    { from, until }: Window,
    metricIds: readonly number[],
  ): Promise<{ metricId: number; count: number }[]> {
    return this.dataSource.query(
      `SELECT asked.id AS "metricId", count(DISTINCT a.id)::integer AS count
       FROM ${NOTIFIED_METRICS}
       WHERE d.org_id = $1 AND d.settled_at BETWEEN to_timestamp($2) AND to_timestamp($3) AND ${SENT_FIRST}
       GROUP BY asked.id`,
      [orgId, from, until, metricIds],
    );
  }

  /** Alerts by the period in which their first message was sent; periods without any are omitted. */
  countByStretch(
    orgId: number,
    { from, until, seconds }: Window & { seconds: number },
  ): Promise<{ timestamp: number; count: number }[]> {
    return this.dataSource.query(
      `SELECT floor(at / $4::float8) * $4::float8 AS timestamp, count(*)::integer AS count
       FROM (SELECT extract(epoch FROM min(d.settled_at))::float8 AS at
             FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
             WHERE d.org_id = $1 AND d.settled_at >= to_timestamp($2) AND d.settled_at < to_timestamp($3)
               AND ${SENT_FIRST}
             GROUP BY a.id, d.life) first
       GROUP BY 1`,
      [orgId, from, until, seconds],
    );
  }

  /** Queues whose last message was given up. */
  async listTroubles(orgId: number): Promise<DeliveryTrouble[]> {
    const rows: { channel: AlertChannel; reason: string; at: number; state: DeliveryState }[] =
      await this.dataSource.query(
        `SELECT DISTINCT ON (d.lane) d.channel, d.message AS reason, d.state,
                extract(epoch FROM d.settled_at)::float8 AS at
         FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
         WHERE d.org_id = $1 AND d.settled_at IS NOT NULL AND d.state IN ('sent', 'failed') AND a.kind <> 'test'
         ORDER BY d.lane, d.settled_at DESC, d.id DESC`,
        [orgId],
      );
    return rows
      .filter(({ state }) => state === 'failed')
      .map(({ channel, reason, at }) => ({ orgId, channel, reason, at }));
  }
}

function conditionOf(filter: DeliveryFilter): [condition: string, value: unknown] {
  if ('anomalyId' in filter) {
    return [
      'd.alert_id IN (SELECT alert_id FROM alert_subject WHERE anomaly_ids @> ARRAY[$2::integer])',
      filter.anomalyId,
    ];
  }
  if ('watcherId' in filter) return ['a.watcher_id = $2', filter.watcherId];
  if ('ids' in filter) return ['d.id = ANY($2)', filter.ids];
  if ('alertId' in filter) return ['d.alert_id = $2', filter.alertId];
  return ['d.state = ANY($2)', filter.states];
}
