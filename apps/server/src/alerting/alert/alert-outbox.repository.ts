import { Injectable } from '@nestjs/common';
import { type AlertContent, type AlertKind, type AlertPhase, type Destination, type Suppression } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { DROPPED_CONTENT } from './alert-delivery.repository.js';
import { ALERT_DELIVERY_CHANNEL, type AlertState, type AlertSubject } from './alert.types.js';
import { type KnownDelivery } from './delivery-steps.js';

export interface AlertRow {
  key: string;
  kind: AlertKind;
  state: AlertState;
  counts: boolean;
  anomalyId: number | null;
  incidentId: number | null;
  watcherId: number | null;
  watcherName: string | null;
  metricId: number | null;
  content: AlertContent;
}

export interface NewDelivery {
  alert: StoredAlert;
  destination: Destination;
  phase: AlertPhase;
  queue: string;
  suppressedBy: Suppression | null;
  /** Unix seconds. */
  sendAt: number;
  giveUpAt: number;
}

/** An existing alert, in its current life. */
export interface StoredAlert {
  id: number;
  life: number;
}

interface KnownRow extends Omit<StoredDelivery, 'destination'>, Destination {}

/** A known delivery with the data that only suppression needs. */
export interface StoredDelivery extends KnownDelivery {
  alertId: number;
  suppressedBy: Suppression | null;
}

const NEW_ALERTS = `INSERT INTO alert AS a (org_id, key, kind, state, counts, anomaly_id, incident_id, watcher_id,
    watcher_name, metric_id, content, created_at, updated_at)
  SELECT $1, n.key, n.kind, n.state, n.counts, n.anomaly_id, n.incident_id, n.watcher_id, n.watcher_name, n.metric_id,
         n.content, to_timestamp($3), to_timestamp($3)
  FROM jsonb_to_recordset($2::jsonb) AS n (key text, kind text, state text, counts boolean, anomaly_id integer,
       incident_id integer, watcher_id integer, watcher_name text, metric_id integer, content jsonb)
  ORDER BY n.key`;

/**
 * Writes alerts and their messages, in the transaction of the area that alerts; many of an organisation by one
 * statement. Times in Unix seconds.
 */
@Injectable()
export class AlertOutboxRepository {
  async isUndelivered(orgId: number, key: string, tx: Tx): Promise<boolean> {
    const rows: object[] = await tx.query(
      `SELECT FROM alert a WHERE a.org_id = $1 AND a.key = $2 AND NOT EXISTS (
         SELECT FROM alert_delivery d WHERE d.alert_id = a.id AND d.life = a.life
           AND d.state IN ('sent', 'queued', 'retrying'))`,
      [orgId, key],
    );
    return rows.length > 0;
  }

  /**
   * Creates or updates the alerts; they are locked until the end of the transaction. One that was closed and opens
   * again starts another life. Keys must be unique.
   * @returns by key
   */
  upsert(orgId: number, rows: readonly AlertRow[], now: number, tx: Tx): Promise<Map<string, StoredAlert>> {
    return storeAlerts(
      `${NEW_ALERTS}
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
       RETURNING key, id, life`,
      [orgId, recordsOf(rows), now],
      tx,
    );
  }

  /** Creates missing alerts as closed; existing ones do not change, and are locked. */
  ensure(orgId: number, rows: readonly AlertRow[], now: number, tx: Tx): Promise<Map<string, StoredAlert>> {
    return storeAlerts(
      `${NEW_ALERTS}
       ON CONFLICT (org_id, key) DO UPDATE SET updated_at = excluded.updated_at
       RETURNING key, id, life`,
      [orgId, recordsOf(rows), now],
      tx,
    );
  }

  /** Existing subjects stay. Alerts must be unique. */
  async addSubjects(
    orgId: number,
    alerts: readonly { alertId: number; subjects: readonly AlertSubject[] }[],
    tx: Tx,
  ): Promise<void> {
    const rows = alerts.map(({ alertId, subjects }) => ({
      alert_id: alertId,
      metric_ids: sorted(subjects.map(({ metricId }) => metricId)),
      anomaly_ids: sorted(subjects.map(({ anomalyId }) => anomalyId ?? 0)),
    }));
    await tx.query(
      `INSERT INTO alert_subject AS s (alert_id, metric_ids, anomaly_ids)
       SELECT a.id, n.metric_ids, n.anomaly_ids
       FROM jsonb_to_recordset($2::jsonb) AS n (alert_id integer, metric_ids integer[], anomaly_ids integer[])
       JOIN alert a ON a.id = n.alert_id AND a.org_id = $1
       ON CONFLICT (alert_id) DO UPDATE SET
         metric_ids = ARRAY(SELECT unnest(s.metric_ids) UNION SELECT unnest(excluded.metric_ids) ORDER BY 1),
         anomaly_ids = ARRAY(SELECT unnest(s.anomaly_ids) UNION SELECT unnest(excluded.anomaly_ids) ORDER BY 1)
       WHERE s.metric_ids <> excluded.metric_ids OR s.anomaly_ids <> excluded.anomaly_ids`,
      [orgId, JSON.stringify(rows.filter(({ metric_ids }) => metric_ids.length > 0))],
    );
  }

  /** The messages of the current lives, oldest first; they are locked until the end of the transaction. */
  async lockDeliveries(
    orgId: number,
    alerts: readonly StoredAlert[],
    now: number,
    tx: Tx,
  ): Promise<Map<number, StoredDelivery[]>> {
    const rows: KnownRow[] = await tx.query(
      `SELECT d.id, d.alert_id AS "alertId", d.channel, d.recipient, d.user_id AS "userId", d.mentions, d.phase, d.state,
              d.tries, d.suppressed_by AS "suppressedBy",
              coalesce(d.claimed_until > to_timestamp($4), false) AS "isBeingSent"
       FROM alert_delivery d JOIN unnest($2::integer[], $3::integer[]) AS a (id, life)
         ON d.alert_id = a.id AND d.life = a.life
       WHERE d.org_id = $1 ORDER BY d.id FOR UPDATE OF d`,
      [orgId, alerts.map(({ id }) => id), alerts.map(({ life }) => life), now],
    );
    const found = new Map<number, StoredDelivery[]>();
    for (const { channel, recipient, userId, mentions, ...row } of rows) {
      const delivery = { ...row, destination: { channel, recipient, userId, mentions } };
      const mine = found.get(row.alertId);
      if (mine === undefined) found.set(row.alertId, [delivery]);
      else mine.push(delivery);
    }
    return found;
  }

  /**
   * Replaces the content of unsent messages; those that were never tried wait until `sendAt`. Each keeps its type of
   * event: receivers get an opening first.
   */
  async replaceContent(
    orgId: number,
    changes: readonly { deliveries: readonly KnownDelivery[]; content: AlertContent; sendAt: number }[],
    tx: Tx,
  ): Promise<void> {
    const rows = changes.flatMap(({ deliveries, content, sendAt }) =>
      deliveries.length === 0 ? [] : { ids: deliveries.map(({ id }) => id), content, due_at: sendAt },
    );
    if (rows.length === 0) return;
    await tx.query(
      `UPDATE alert_delivery d SET content = n.content || jsonb_build_object('phase', d.phase,
                'event', (n.content -> 'event')
                         || jsonb_build_object('type', coalesce(d.content, n.content) #> '{event,type}')),
              due_at = CASE WHEN d.tries = 0 THEN to_timestamp(n.due_at) ELSE d.due_at END
       FROM jsonb_to_recordset($2::jsonb) AS n (ids integer[], content jsonb, due_at float8)
       WHERE d.org_id = $1 AND d.id = ANY(n.ids)`,
      [orgId, JSON.stringify(rows)],
    );
  }

  async drop(orgId: number, deliveries: readonly KnownDelivery[], tx: Tx): Promise<void> {
    if (deliveries.length === 0) return;
    await tx.query(`DELETE FROM alert_delivery WHERE org_id = $1 AND id = ANY($2)`, [
      orgId,
      deliveries.map(({ id }) => id),
    ]);
  }

  /** In the given order. Removed recipients are no longer linked as users. `contents`: by alert. */
  async insertDeliveries(
    orgId: number,
    deliveries: readonly NewDelivery[],
    contents: ReadonlyMap<number, AlertContent>,
    now: number,
    tx: Tx,
  ): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map(({ alert, destination, phase, queue, suppressedBy, sendAt, giveUpAt }) => ({
      alert_id: alert.id,
      life: alert.life,
      channel: destination.channel,
      recipient: destination.recipient,
      user_id: destination.userId,
      mentions: destination.mentions,
      phase,
      lane: queue,
      suppressed_by: suppressedBy,
      due_at: sendAt,
      give_up_at: giveUpAt,
    }));
    const texts = [...contents].map(([alert_id, content]) => ({ alert_id, content }));
    await tx.query(
      `INSERT INTO alert_delivery (org_id, alert_id, message_id, life, phase, sequence, channel, recipient, user_id,
              mentions, lane, state, suppressed_by, content, title, due_at, give_up_at, created_at, settled_at)
       SELECT $1, d.alert_id, gen_random_uuid(), d.life, d.phase,
              1 + coalesce((SELECT max(o.sequence) FROM alert_delivery o WHERE o.alert_id = d.alert_id
                            AND o.channel = d.channel AND o.recipient = d.recipient AND o.phase = d.phase), 0),
              d.channel, d.recipient, u.id, d.mentions, d.lane,
              CASE WHEN d.suppressed_by IS NULL THEN 'queued' ELSE 'suppressed' END, d.suppressed_by,
              CASE WHEN d.suppressed_by IS NULL THEN t.content || jsonb_build_object('phase', d.phase) END,
              CASE WHEN d.suppressed_by IS NOT NULL THEN t.content ->> 'title' END, to_timestamp(d.due_at), to_timestamp(d.give_up_at),
              to_timestamp($4), CASE WHEN d.suppressed_by IS NOT NULL THEN to_timestamp($4) END
       FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (alert_id integer, life integer, channel text, recipient text,
              user_id integer, mentions text[], phase text, lane text, suppressed_by text, due_at float8,
              give_up_at float8))
            WITH ORDINALITY AS d (alert_id, life, channel, recipient, user_id, mentions, phase, lane, suppressed_by,
              due_at, give_up_at, place)
       LEFT JOIN jsonb_to_recordset($3::jsonb) AS t (alert_id integer, content jsonb) ON t.alert_id = d.alert_id
       LEFT JOIN user_account u ON u.id = d.user_id
       ORDER BY d.place`,
      [orgId, JSON.stringify(rows), JSON.stringify(texts), now],
    );
    await tx.query('SELECT pg_notify($1, $2)', [ALERT_DELIVERY_CHANNEL, '']);
  }

  /** Cancels queued messages about an opening or an update; returns their number. */
  async suppressQueued(
    orgId: number,
    subject: { keys: readonly string[] } | { anomalyIds: readonly number[] },
    reason: Suppression,
    now: number,
    tx: Tx,
  ): Promise<number> {
    const [keys, anomalyIds] = 'keys' in subject ? [subject.keys, null] : [null, subject.anomalyIds];
    const [, count]: [unknown, number] = await tx.query(
      `UPDATE alert_delivery d
       SET state = 'suppressed', suppressed_by = $4, ${DROPPED_CONTENT}, settled_at = to_timestamp($5),
           due_at = to_timestamp($5)
       WHERE d.id IN (
         SELECT q.id FROM alert a JOIN alert_delivery q ON q.alert_id = a.id
         WHERE a.org_id = $1 AND q.state IN ('queued', 'retrying')
           AND q.phase IN ('opened', 'updated') AND coalesce(q.claimed_until <= to_timestamp($5), true)
           AND (a.key = ANY($2) OR (
             a.id IN (SELECT alert_id FROM alert_subject WHERE anomaly_ids && $3::integer[])
             -- A message about more than these still has something to say.
             AND NOT EXISTS (
               SELECT unnest(s.anomaly_ids) FROM alert_subject s WHERE s.alert_id = a.id
               EXCEPT SELECT unnest($3::integer[]))))
         ORDER BY q.id FOR UPDATE OF q)`,
      [orgId, keys, anomalyIds, reason, now],
    );
    return count;
  }

  /**
   * Settles the messages that this transaction queued and suppressed: as accepted at a moment of the past, and without
   * events.
   */
  async settlePast(orgId: number, alertId: number, { at, note }: { at: number; note: string }, tx: Tx): Promise<void> {
    await tx.query(
      `UPDATE alert_delivery d
       SET state = CASE WHEN state = 'queued' THEN 'sent' ELSE state END, tries = (state = 'queued')::integer,
           settled_at = to_timestamp($3), ${DROPPED_CONTENT}, due_at = NULL, message = $4
       WHERE org_id = $1 AND alert_id = $2 AND due_at IS NOT NULL`,
      [orgId, alertId, at, note],
    );
  }

  /** Sent messages are not resent. */
  async endRepeats(orgId: number, alerts: readonly StoredAlert[], tx: Tx): Promise<void> {
    if (alerts.length === 0) return;
    await tx.query(
      `UPDATE alert_delivery SET due_at = NULL
       WHERE org_id = $1 AND alert_id = ANY($2::integer[]) AND state = 'sent' AND due_at IS NOT NULL`,
      [orgId, alerts.map(({ id }) => id)],
    );
  }
}

/** Once each. */
const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

async function storeAlerts(sql: string, values: unknown[], tx: Tx): Promise<Map<string, StoredAlert>> {
  const rows: (StoredAlert & { key: string })[] = await tx.query(sql, values);
  return new Map(rows.map(({ key, id, life }) => [key, { id, life }]));
}

function recordsOf(rows: readonly AlertRow[]): string {
  return JSON.stringify(
    rows.map((row) => ({
      key: row.key,
      kind: row.kind,
      state: row.state,
      counts: row.counts,
      anomaly_id: row.anomalyId,
      incident_id: row.incidentId,
      watcher_id: row.watcherId,
      watcher_name: row.watcherName,
      metric_id: row.metricId,
      content: row.content,
    })),
  );
}
