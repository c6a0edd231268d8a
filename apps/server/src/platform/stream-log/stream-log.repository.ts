import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { MINUTE } from '../../common/time.js';
import { STREAM_CHANNEL, STREAM_KEPT_SECONDS, type StreamEvent } from './stream-log.types.js';

/** The payload of a notification is limited to 8000 bytes. */
const ORGS_PER_NOTIFICATION = 500;

/** Writes and drops entries of the event stream. */
@Injectable()
export class StreamLogRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In the given order. Events of deleted organisations are dropped. `now` in Unix seconds. */
  async append(events: readonly StreamEvent[], now: number, tx: Tx): Promise<void> {
    const orgIds = [...new Set(events.map(({ orgId }) => orgId))].sort((a, b) => a - b);
    // Locks are taken sequentially in the same order in every transaction, so that no two wait for each other.
    await tx.query(
      `SELECT pg_advisory_xact_lock($1, o.id) FROM (SELECT id FROM unnest($2::integer[]) AS id ORDER BY id) AS o`,
      [DATABASE_LOCKS.streamAppend.number, orgIds],
    );
    const rows = events.map(({ orgId, type, subjectId, metricId }) => ({
      org_id: orgId,
      type,
      subject_id: subjectId,
      metric_id: metricId,
    }));
    // A separate statement: ids must be assigned after the lock is held.
    await tx.query(
      `INSERT INTO stream_event (org_id, happened_at, type, subject_id, metric_id)
       SELECT e.org_id, to_timestamp($2), e.type, e.subject_id, e.metric_id
       FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (
              org_id integer, type text, subject_id integer, metric_id integer)) WITH ORDINALITY AS e (
              org_id, type, subject_id, metric_id, place)
       JOIN org o ON o.id = e.org_id
       ORDER BY e.place`,
      [JSON.stringify(rows), now],
    );
    for (let first = 0; first < orgIds.length; first += ORGS_PER_NOTIFICATION) {
      const named = orgIds.slice(first, first + ORGS_PER_NOTIFICATION).join(',');
      await tx.query('SELECT pg_notify($1, $2)', [STREAM_CHANNEL, named]);
    }
  }

  /**
   * Drops at most `limit` events that are too old at `now` (Unix seconds) to be resent, and records the last dropped id
   * per organisation; returns their number.
   */
  @Housekeeping({
    everyMs: MINUTE * 1000,
    failure: 'Old events of the stream could not be dropped',
    role: 'detect',
    batch: 10_000,
  })
  async dropExpired(now: number, limit: number): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(
      `WITH gone AS (
         DELETE FROM stream_event WHERE id IN (
           SELECT id FROM stream_event WHERE happened_at < to_timestamp($1) ORDER BY happened_at LIMIT $2)
         RETURNING org_id, id
       ), floor AS (
         INSERT INTO stream_floor (org_id, event_id) SELECT org_id, max(id) FROM gone GROUP BY org_id ORDER BY org_id
         ON CONFLICT (org_id) DO UPDATE SET event_id = greatest(stream_floor.event_id, excluded.event_id)
       )
       SELECT count(*)::integer AS count FROM gone`,
      [now - STREAM_KEPT_SECONDS, limit],
    );
    return rows[0]?.count ?? 0;
  }
}
