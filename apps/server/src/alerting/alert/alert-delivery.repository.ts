import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type AlertChannel,
  type AlertContent,
  type AlertKind,
  type AlertPhase,
  type Suppression,
} from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { OutboxClaimingRepository } from '../../common/outbox/outbox-claiming.repository.js';
import { DAY, HOUR } from '../../common/time.js';
import { ALERTS_KEPT_DAYS, type DeliveryState } from './alert.types.js';

/** SQL of an update of delivery `d`: its content is no longer needed, only its title. */
export const DROPPED_CONTENT = `title = coalesce(d.content ->> 'title', d.title), content = NULL`;

/** A claimed message. Times in Unix seconds. */
export interface PendingDelivery {
  id: number;
  orgId: number;
  alertId: number;
  messageId: string;
  phase: AlertPhase;
  channel: AlertChannel;
  recipient: string;
  userId: number | null;
  mentions: string[];
  queue: string;
  /** `sent`: a resend of a message that the channel knows. */
  state: DeliveryState;
  tries: number;
  /** The process that tried it before did not record the outcome. */
  isTakenOver: boolean;
  createdAt: number;
  /** Its own content, or the latest of the alert if it is resent. */
  content: AlertContent;
  /** Of the first message of the alert to this recipient. */
  thread: string | null;
  kind: AlertKind;
  anomalyId: number | null;
  watcherId: number | null;
  metricId: number | null;
  /** The alert is over, and this destination gets no message about that. */
  isOver: boolean;
}

/** A finished delivery: for the events of the organisation and of the stream. */
export type SettledDelivery = Omit<PendingDelivery, 'isTakenOver' | 'isOver' | 'content' | 'thread' | 'mentions'> & {
  title: string;
};

/** Suppressed messages of one alert, as in the events of the organisation. */
export interface SuppressedAlert {
  orgId: number;
  alertId: number;
  reason: string;
  title: string;
  destinations: number;
  anomalyId: number | null;
  watcherId: number | null;
  metricId: number | null;
}

const FIELDS = `d.id, d.org_id AS "orgId", d.alert_id AS "alertId", d.message_id AS "messageId", d.phase, d.channel,
  d.recipient, d.user_id AS "userId", d.lane AS queue, d.state, d.tries, extract(epoch FROM d.created_at)::float8 AS "createdAt",
  a.kind, a.anomaly_id AS "anomalyId", a.watcher_id AS "watcherId", a.metric_id AS "metricId"`;

/** Pending messages. Any free process sends those of all organisations. */
@Injectable()
export class AlertDeliveryRepository extends OutboxClaimingRepository<PendingDelivery> {
  constructor(dataSource: DataSource) {
    super(dataSource, {
      name: 'alert_delivery',
      waits: `q.due_at IS NOT NULL AND q.state <> 'suppressed'`,
      queue: 'q.lane',
      // One recipient gets the messages of an alert in order: an earlier one is finished before the next is sent.
      isReady: `NOT EXISTS (
        SELECT FROM alert_delivery e
        WHERE e.alert_id = q.alert_id AND e.channel = q.channel AND e.recipient = q.recipient AND e.id < q.id
          AND (e.state IN ('queued', 'retrying') OR e.claimed_until > to_timestamp($2::float8)))`,
      selected: `q.alert_id, q.claimed_until IS NOT NULL AS is_taken_over`,
      joined: 'JOIN alert a ON a.id = c.alert_id',
      triesStep: `(d.state <> 'sent')::integer`,
      assigned: 'claimed_until = to_timestamp($2::float8 + $3::float8)',
      answered: `${FIELDS}, d.mentions, c.is_taken_over AS "isTakenOver", coalesce(d.content, a.content) AS content,
        (SELECT t.thread FROM alert_delivery t WHERE t.alert_id = d.alert_id AND t.channel = d.channel
           AND t.recipient = d.recipient AND t.life = d.life AND t.thread IS NOT NULL ORDER BY t.id LIMIT 1) AS thread,
        a.state = 'closed' AND NOT EXISTS (
          SELECT FROM alert_delivery f WHERE f.alert_id = d.alert_id AND f.channel = d.channel
            AND f.recipient = d.recipient AND f.life = d.life AND f.id > d.id AND f.phase = 'recovered') AS "isOver"`,
    });
  }

  /**
   * The service has accepted it. If the channel requires that alerts are resent, this happens after `repeatSeconds`
   * while the alert is open.
   * @returns whether the previous message to the same destination was given up
   */
  async markSent(
    { orgId, id, queue }: Pick<PendingDelivery, 'orgId' | 'id' | 'queue'>,
    sent: { thread: string | null; repeatSeconds: number | null; now: number },
    tx: Tx,
  ): Promise<boolean> {
    const rows: { state: DeliveryState }[] = await tx.query(
      `SELECT state FROM alert_delivery
       WHERE org_id = $1 AND lane = $2 AND settled_at IS NOT NULL AND state IN ('sent', 'failed') AND id <> $3
       ORDER BY settled_at DESC, id DESC LIMIT 1`,
      [orgId, queue, id],
    );
    await tx.query(
      `UPDATE alert_delivery d
       SET state = 'sent', ${DROPPED_CONTENT}, thread = $3, message = '', claimed_until = NULL,
           settled_at = to_timestamp($4),
           due_at = CASE WHEN d.phase = 'opened' AND a.state = 'open' AND a.life = d.life
                         THEN to_timestamp($4::float8 + $5::float8) END
       FROM alert a WHERE d.org_id = $1 AND d.id = $2 AND a.id = d.alert_id`,
      [orgId, id, sent.thread, sent.now, sent.repeatSeconds],
    );
    return rows[0]?.state === 'failed';
  }

  /** Resends a sent message at a moment, unless the alert is over by then. */
  async repeatAt({ orgId, id }: Pick<PendingDelivery, 'orgId' | 'id'>, at: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE alert_delivery d
       SET claimed_until = NULL,
           due_at = CASE WHEN a.state = 'open' AND a.life = d.life AND d.due_at IS NOT NULL THEN to_timestamp($3) END
       FROM alert a WHERE d.org_id = $1 AND d.id = $2 AND a.id = d.alert_id`,
      [orgId, id, at],
    );
  }

  async markRetrying(
    { orgId, id }: Pick<PendingDelivery, 'orgId' | 'id'>,
    retry: { reason: string; sendAt: number },
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE alert_delivery SET state = 'retrying', message = $3, due_at = to_timestamp($4), claimed_until = NULL
       WHERE org_id = $1 AND id = $2`,
      [orgId, id, retry.reason, retry.sendAt],
    );
  }

  /**
   * Gives it up, and with a first message all that should have followed it.
   * @returns false if it no longer exists
   */
  async markFailed(
    { orgId, id, phase }: Pick<PendingDelivery, 'orgId' | 'id' | 'phase'>,
    failed: { reason: string; now: number },
    tx: Tx,
  ): Promise<boolean> {
    const [, count]: [unknown, number] = await tx.query(
      `UPDATE alert_delivery SET state = 'failed', message = $3, due_at = NULL, claimed_until = NULL,
              settled_at = to_timestamp($4)
       WHERE org_id = $1 AND id = $2`,
      [orgId, id, failed.reason, failed.now],
    );
    if (count === 0) return false;
    if (phase === 'opened') await dropFollowing(orgId, id, tx);
    return true;
  }

  /** It is no longer wanted, and with a first message nothing that should have followed it. */
  async markSuppressed(
    { orgId, id, phase }: Pick<PendingDelivery, 'orgId' | 'id' | 'phase'>,
    suppressed: { reason: Suppression; now: number },
    tx: Tx,
  ): Promise<void> {
    await tx.query(
      `UPDATE alert_delivery d SET state = 'suppressed', suppressed_by = $3, ${DROPPED_CONTENT},
              claimed_until = NULL, settled_at = to_timestamp($4), due_at = to_timestamp($4)
       WHERE org_id = $1 AND id = $2`,
      [orgId, id, suppressed.reason, suppressed.now],
    );
    if (phase === 'opened') await dropFollowing(orgId, id, tx);
  }

  /** Sends it later, with all tries available again. */
  async postpone(
    { orgId, id }: Pick<PendingDelivery, 'orgId' | 'id'>,
    { until, now }: { until: number; now: number },
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE alert_delivery SET state = 'queued', tries = 0, claimed_until = NULL, due_at = to_timestamp($3),
              give_up_at = give_up_at + make_interval(secs => $3::float8 - $4::float8)
       WHERE org_id = $1 AND id = $2`,
      [orgId, id, until, now],
    );
  }

  /** Claims expired messages of failing queues: they are not tried any more. */
  async claimExpiredOfAll(
    queues: readonly string[],
    now: number,
    leaseSeconds: number,
    limit: number,
  ): Promise<SettledDelivery[]> {
    const [rows]: [SettledDelivery[], number] = await this.dataSource.query(
      `WITH c AS MATERIALIZED (
         SELECT q.id, q.alert_id FROM alert_delivery q
         WHERE q.lane = ANY($1) AND q.due_at IS NOT NULL AND q.state IN ('queued', 'retrying')
           AND q.give_up_at <= to_timestamp($2::float8)
           AND coalesce(q.claimed_until <= to_timestamp($2::float8), true)
         ORDER BY q.id LIMIT $4 FOR UPDATE OF q SKIP LOCKED
       )
       UPDATE alert_delivery d
       SET due_at = to_timestamp($2::float8 + $3::float8), claimed_until = to_timestamp($2::float8 + $3::float8)
       FROM c JOIN alert a ON a.id = c.alert_id
       WHERE d.id = c.id
       RETURNING ${FIELDS}, d.content->>'title' AS title`,
      [queues, now, leaseSeconds, limit],
    );
    return rows;
  }

  /** Returns suppressed messages that are not in the events of their organisations yet, and marks them as reported. */
  async takeSuppressedOfAll(limit: number): Promise<SuppressedAlert[]> {
    return this.dataSource.query(
      `WITH chosen AS MATERIALIZED (
         SELECT id FROM alert_delivery WHERE due_at IS NOT NULL AND state = 'suppressed'
         ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE alert_delivery SET due_at = NULL WHERE id IN (SELECT id FROM chosen)
         RETURNING org_id, alert_id, suppressed_by
       )
       SELECT a.org_id AS "orgId", a.id AS "alertId", t.suppressed_by AS reason, a.content->>'title' AS title,
              count(*)::integer AS destinations, a.anomaly_id AS "anomalyId", a.watcher_id AS "watcherId",
              a.metric_id AS "metricId"
       FROM taken t JOIN alert a ON a.id = t.alert_id
       GROUP BY a.id, t.suppressed_by ORDER BY a.id`,
      [limit],
    );
  }

  /**
   * Number of waiting messages, when the oldest could have been sent (Unix seconds), and number of messages given up
   * since a moment.
   */
  async waitingOfAll(
    now: number,
    since: number,
  ): Promise<{ waiting: number; overdueSince: number | null; failed: number }> {
    const rows: { waiting: number; overdueSince: number | null; failed: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS waiting,
              extract(epoch FROM min(created_at) FILTER (WHERE tries > 0 OR due_at <= to_timestamp($1)))::float8
                AS "overdueSince",
              (SELECT count(*)::integer FROM alert_delivery
               WHERE state = 'failed' AND settled_at >= to_timestamp($2)) AS failed
       FROM alert_delivery WHERE due_at IS NOT NULL AND state IN ('queued', 'retrying')`,
      [now, since],
    );
    return rows[0]!;
  }

  /**
   * Deletes at most `limit` alerts last changed more than 90 days before `now` (Unix seconds); returns their number.
   */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Old alerts could not be dropped', batch: 1000 })
  async dropExpired(now: number, limit: number): Promise<number> {
    const [, dropped]: [unknown, number] = await this.dataSource.query(
      `DELETE FROM alert WHERE id IN (
         SELECT a.id FROM alert a WHERE a.updated_at < to_timestamp($1)
           AND NOT EXISTS (SELECT FROM alert_delivery d WHERE d.alert_id = a.id AND d.due_at IS NOT NULL)
         ORDER BY a.updated_at LIMIT $2)`,
      [now - ALERTS_KEPT_DAYS * DAY, limit],
    );
    return dropped;
  }
}

/** Drops the messages to the same destination that depend on a message that is not sent. */
async function dropFollowing(orgId: number, id: number, tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM alert_delivery n USING alert_delivery f
     WHERE f.org_id = $1 AND f.id = $2 AND n.alert_id = f.alert_id AND n.channel = f.channel
       AND n.recipient = f.recipient AND n.life = f.life AND n.id > f.id AND n.state = 'queued' AND n.tries = 0
       AND n.phase <> 'opened'`,
    [orgId, id],
  );
}
