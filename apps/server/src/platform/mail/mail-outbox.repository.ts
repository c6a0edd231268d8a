import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { OutboxClaimingRepository } from '../../common/outbox/outbox-claiming.repository.js';
import { DAY, HOUR } from '../../common/time.js';

const KEYS_KEPT_SECONDS = 30 * DAY;

export interface NewOutboxRow {
  id: string;
  orgId: number | null;
  key: string | null;
  sealed: string;
  /** Unix seconds, like all times here. */
  createdAt: number;
  uselessAt: number | null;
}

export interface PendingMail {
  id: string;
  sealed: string;
  createdAt: number;
  uselessAt: number | null;
  /** Number of attempts, including the current one. */
  tries: number;
}

/**
 * Queued mails. Any free process sends the mails of all organisations, so these methods have no organisation parameter.
 */
@Injectable()
export class MailOutboxRepository extends OutboxClaimingRepository<PendingMail> {
  constructor(dataSource: DataSource) {
    super(dataSource, {
      name: 'mail_outbox',
      waits: 'q.sealed IS NOT NULL',
      // All mails use one server.
      queue: `'mail'::text`,
      answered: `d.id, d.sealed, d.tries, extract(epoch FROM d.created_at)::float8 AS "createdAt",
                 extract(epoch FROM d.useless_at)::float8 AS "uselessAt"`,
    });
  }

  /** Does nothing if the key exists. */
  async insert(row: NewOutboxRow, tx?: Tx): Promise<void> {
    await (tx ?? this.dataSource).query(
      `INSERT INTO mail_outbox (id, org_id, key, sealed, created_at, due_at, useless_at)
       VALUES ($1, $2, $3, $4, to_timestamp($5), to_timestamp($5), to_timestamp($6))
       ON CONFLICT (key) WHERE key IS NOT NULL DO NOTHING`,
      [row.id, row.orgId, row.key, row.sealed, row.createdAt, row.uselessAt],
    );
  }

  /** Returns a claimed mail to the queue, for an attempt at `at`. */
  async tryAgainAt(id: string, at: number): Promise<void> {
    await this.dataSource.query(`UPDATE mail_outbox SET due_at = to_timestamp($2) WHERE id = $1`, [id, at]);
  }

  /** Finishes a claimed mail: deletes its row, or, if it has a key, only its content. */
  async finish(id: string): Promise<void> {
    await this.dataSource.query(
      `WITH gone AS (DELETE FROM mail_outbox WHERE id = $1 AND key IS NULL)
       UPDATE mail_outbox SET sealed = NULL WHERE id = $1 AND key IS NOT NULL`,
      [id],
    );
  }

  /** Number of waiting mails, and the time of the oldest. */
  async waitingOfAll(): Promise<{ count: number; since: number | null }> {
    const rows: { count: number; since: number | null }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS count, extract(epoch FROM min(created_at))::float8 AS since
       FROM mail_outbox WHERE sealed IS NOT NULL`,
    );
    return rows[0]!;
  }

  /** Deletes the keys of finished mails that were created more than 30 days before `now` (Unix seconds). */
  @Housekeeping({ everyMs: HOUR * 1000, failure: 'Keys of old mails could not be removed' })
  async forgetOldKeys(now: number): Promise<void> {
    await this.dataSource.query(`DELETE FROM mail_outbox WHERE sealed IS NULL AND created_at < to_timestamp($1)`, [
      now - KEYS_KEPT_SECONDS,
    ]);
  }
}
