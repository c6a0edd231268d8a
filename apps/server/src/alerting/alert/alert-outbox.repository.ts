import { Injectable } from '@nestjs/common';
import { type AlertContent, type AlertKind, type AlertPhase, type Destination, type Suppression } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { ALERT_DELIVERY_CHANNEL, type AlertState, type AlertSubject } from './alert.types.js';
import { type KnownDelivery } from './delivery-steps.js';

export interface AlertRow {
  orgId: number;
  key: string;
  kind: AlertKind;
  state: AlertState;
  anomalyId: number | null;
  incidentId: number | null;
  watcherId: number | null;
  watcherName: string | null;
  metricId: number | null;
  content: AlertContent;
}

export interface NewDelivery {
  destination: Destination;
  phase: AlertPhase;
  lane: string;
  content: AlertContent | null;
  suppressedBy: Suppression | null;
  /** Unix seconds. */
  dueAt: number;
  giveUpAt: number;
}

interface KnownRow extends Omit<KnownDelivery, 'destination'>, Destination {
  suppressedBy: Suppression | null;
}

/** A known delivery with what only suppressing asks. */
export interface StoredDelivery extends KnownDelivery {
  suppressedBy: Suppression | null;
}

/** Writes alerts and what is to be sent of them, in the transaction of those who alert. Times in Unix seconds. */
@Injectable()
export class AlertOutboxRepository {
  /**
   * Creates the alert, or brings it up to date; it is locked until the end of the transaction. One that was closed and
   * opens again begins another life.
   */
  async upsert(row: AlertRow, now: number, tx: Tx): Promise<{ id: number; life: number }> {
    const rows: { id: number; life: number }[] = await tx.query(
      `INSERT INTO alert AS a (org_id, key, kind, state, anomaly_id, incident_id, watcher_id, watcher_name, metric_id,
                               content, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11), to_timestamp($11))
       ON CONFLICT (org_id, key) DO UPDATE SET
         state = excluded.state,
         life = a.life + (a.state = 'closed' AND excluded.state = 'open')::integer,
         anomaly_id = coalesce(excluded.anomaly_id, a.anomaly_id),
         incident_id = coalesce(excluded.incident_id, a.incident_id),
         watcher_id = coalesce(excluded.watcher_id, a.watcher_id),
         watcher_name = coalesce(excluded.watcher_name, a.watcher_name),
         metric_id = coalesce(excluded.metric_id, a.metric_id),
         content = excluded.content,
         updated_at = excluded.updated_at
       RETURNING id, life`,
      [...valuesOf(row), now],
    );
    return rows[0]!;
  }

  /** Creates the alert as closed when there is none; one that is there stays as it is, and is locked. */
  async ensure(row: AlertRow, now: number, tx: Tx): Promise<{ id: number; life: number }> {
    const rows: { id: number; life: number }[] = await tx.query(
      `INSERT INTO alert AS a (org_id, key, kind, state, anomaly_id, incident_id, watcher_id, watcher_name, metric_id,
                               content, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11), to_timestamp($11))
       ON CONFLICT (org_id, key) DO UPDATE SET updated_at = excluded.updated_at
       RETURNING id, life`,
      [...valuesOf(row), now],
    );
    return rows[0]!;
  }

  async addSubjects(orgId: number, alertId: number, subjects: readonly AlertSubject[], tx: Tx): Promise<void> {
    await tx.query(
      `INSERT INTO alert_subject (alert_id, metric_id, anomaly_id)
       SELECT a.id, s.metric_id, s.anomaly_id
       FROM alert a, unnest($3::integer[], $4::integer[]) AS s (metric_id, anomaly_id)
       WHERE a.id = $2 AND a.org_id = $1
       ON CONFLICT DO NOTHING`,
      [orgId, alertId, subjects.map(({ metricId }) => metricId), subjects.map(({ anomalyId }) => anomalyId ?? 0)],
    );
  }

  /** The messages of one life, oldest first; they are locked until the end of the transaction. */
  async lockDeliveries(
    orgId: number,
    alert: { id: number; life: number },
    now: number,
    tx: Tx,
  ): Promise<StoredDelivery[]> {
    const rows: KnownRow[] = await tx.query(
      `SELECT id, channel, recipient, user_id AS "userId", mentions, phase, state, tries, suppressed_by AS "suppressedBy",
              coalesce(claimed_until > to_timestamp($4), false) AS "isBeingSent"
       FROM alert_delivery WHERE org_id = $1 AND alert_id = $2 AND life = $3 ORDER BY id FOR UPDATE`,
      [orgId, alert.id, alert.life, now],
    );
    return rows.map(({ channel, recipient, userId, mentions, ...row }) => ({
      ...row,
      destination: { channel, recipient, userId, mentions },
    }));
  }

  /** Messages that are not sent yet say something else; those that were never tried wait until `dueAt`. */
  async replaceContent(
    orgId: number,
    deliveries: readonly KnownDelivery[],
    content: AlertContent,
    dueAt: number,
    tx: Tx,
  ): Promise<void> {
    if (deliveries.length === 0) return;
    await tx.query(
      `UPDATE alert_delivery SET content = $3::jsonb || jsonb_build_object('phase', phase),
              due_at = CASE WHEN tries = 0 THEN to_timestamp($4) ELSE due_at END
       WHERE org_id = $1 AND id = ANY($2)`,
      [orgId, deliveries.map(({ id }) => id), JSON.stringify(content), dueAt],
    );
  }

  async drop(orgId: number, deliveries: readonly KnownDelivery[], tx: Tx): Promise<void> {
    if (deliveries.length === 0) return;
    await tx.query(`DELETE FROM alert_delivery WHERE org_id = $1 AND id = ANY($2)`, [
      orgId,
      deliveries.map(({ id }) => id),
    ]);
  }

  /** In the order given. Recipients who have left are no users of theirs any more. */
  async insertDeliveries(
    orgId: number,
    alert: { id: number; life: number },
    deliveries: readonly NewDelivery[],
    now: number,
    tx: Tx,
  ): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map(({ destination, phase, lane, content, suppressedBy, dueAt, giveUpAt }) => ({
      channel: destination.channel,
      recipient: destination.recipient,
      user_id: destination.userId,
      mentions: destination.mentions,
      phase,
      lane,
      content,
      suppressed_by: suppressedBy,
      due_at: dueAt,
      give_up_at: giveUpAt,
    }));
    await tx.query(
      `INSERT INTO alert_delivery (org_id, alert_id, message_id, life, phase, sequence, channel, recipient, user_id,
              mentions, lane, state, suppressed_by, content, due_at, give_up_at, created_at, settled_at)
       SELECT $1, $2, gen_random_uuid(), $3, d.phase,
              1 + coalesce((SELECT max(o.sequence) FROM alert_delivery o WHERE o.alert_id = $2
                            AND o.channel = d.channel AND o.recipient = d.recipient AND o.phase = d.phase), 0),
              d.channel, d.recipient, u.id, d.mentions, d.lane,
              CASE WHEN d.suppressed_by IS NULL THEN 'queued' ELSE 'suppressed' END, d.suppressed_by,
              d.content || jsonb_build_object('phase', d.phase), to_timestamp(d.due_at), to_timestamp(d.give_up_at),
              to_timestamp($5), CASE WHEN d.suppressed_by IS NOT NULL THEN to_timestamp($5) END
       FROM ROWS FROM (jsonb_to_recordset($4::jsonb) AS (channel text, recipient text, user_id integer, mentions text[],
              phase text, lane text, content jsonb, suppressed_by text, due_at float8, give_up_at float8))
            WITH ORDINALITY AS d (channel, recipient, user_id, mentions, phase, lane, content, suppressed_by, due_at,
              give_up_at, place)
       LEFT JOIN user_account u ON u.id = d.user_id
       ORDER BY d.place`,
      [orgId, alert.id, alert.life, JSON.stringify(rows), now],
    );
    await tx.query('SELECT pg_notify($1, $2)', [ALERT_DELIVERY_CHANNEL, '']);
  }

  /** Queued messages about the beginning or the growth of something are not sent; answers how many. */
  async suppressQueued(
    orgId: number,
    subject: { key: string } | { anomalyIds: readonly number[] },
    reason: Suppression,
    now: number,
    tx: Tx,
  ): Promise<number> {
    const [key, anomalyIds] = 'key' in subject ? [subject.key, null] : [null, subject.anomalyIds];
    const [, count]: [unknown, number] = await tx.query(
      `UPDATE alert_delivery d
       SET state = 'suppressed', suppressed_by = $4, content = NULL, settled_at = to_timestamp($5),
           due_at = to_timestamp($5)
       FROM alert a
       WHERE a.org_id = $1 AND d.alert_id = a.id AND d.state IN ('queued', 'retrying')
         AND d.phase IN ('opened', 'updated') AND coalesce(d.claimed_until <= to_timestamp($5), true)
         AND (a.key = $2 OR (
           a.id IN (SELECT alert_id FROM alert_subject WHERE anomaly_id = ANY($3::integer[]) AND anomaly_id > 0)
           -- A message about more than these still has something to say.
           AND NOT EXISTS (
             SELECT FROM alert_subject s WHERE s.alert_id = a.id AND s.anomaly_id <> ALL($3::integer[]))))`,
      [orgId, key, anomalyIds, reason, now],
    );
    return count;
  }

  /** What was sent is not told again. */
  async endRepeats(orgId: number, alertId: number, tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE alert_delivery SET due_at = NULL
       WHERE org_id = $1 AND alert_id = $2 AND state = 'sent' AND due_at IS NOT NULL`,
      [orgId, alertId],
    );
  }
}

function valuesOf(row: AlertRow): unknown[] {
  return [
    row.orgId,
    row.key,
    row.kind,
    row.state,
    row.anomalyId,
    row.incidentId,
    row.watcherId,
    row.watcherName,
    row.metricId,
    JSON.stringify(row.content),
  ];
}
