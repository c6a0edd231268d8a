import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type AlertChannel, type AlertPhase } from '#libs/alerting';
import { type Tx } from '../../common/database/transactions.js';
import { ALERT_DELIVERY_CHANNEL } from './alert.types.js';

/** A message that was given up. */
export interface GivenUpMessage {
  id: number;
  orgId: number;
  channel: AlertChannel;
  phase: AlertPhase;
  recipient: string;
  title: string;
  tries: number;
  reason: string;
  /** Unix seconds. */
  givenUpAt: number;
}

/** Selection of messages. */
export interface GivenUpFilter {
  orgId: number | null;
  /** Null: all. */
  ids: readonly number[] | null;
}

const CHOSEN = `d.state = 'failed' AND ($1::integer IS NULL OR d.org_id = $1) AND ($2::integer[] IS NULL OR d.id = ANY($2))`;
const MESSAGE = `d.id, d.org_id AS "orgId", d.channel, d.phase, d.recipient, d.tries, d.message AS reason,
  coalesce(d.content, a.content) ->> 'title' AS title, extract(epoch FROM d.settled_at)::float8 AS "givenUpAt"`;

/** Messages that were given up, for the operator of the installation. Times in Unix seconds. */
@Injectable()
export class GivenUpRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  listOfAll({ orgId, ids }: GivenUpFilter, limit: number): Promise<GivenUpMessage[]> {
    return this.dataSource.query(
      `SELECT ${MESSAGE} FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
       WHERE ${CHOSEN} ORDER BY d.settled_at DESC, d.id DESC LIMIT $3`,
      [orgId, ids, limit],
    );
  }

  async countOfAll({ orgId, ids }: GivenUpFilter): Promise<number> {
    const rows: { count: number }[] = await this.dataSource.query(
      `SELECT count(*)::integer AS count FROM alert_delivery d WHERE ${CHOSEN}`,
      [orgId, ids],
    );
    return rows[0]!.count;
  }

  /** Makes them due now, with all tries available; `giveUpSeconds` by channel. Returns those that were given up. */
  async requeueOfAll(
    { orgId, ids }: GivenUpFilter,
    giveUpSeconds: Readonly<Record<string, number>>,
    now: number,
    tx: Tx,
  ): Promise<GivenUpMessage[]> {
    const found = await this.lock({ orgId, ids }, tx);
    await tx.query(
      `UPDATE alert_delivery SET state = 'queued', tries = 0, message = '', settled_at = NULL, claimed_until = NULL,
              due_at = to_timestamp($2), give_up_at = to_timestamp($2 + ($3::jsonb ->> channel)::float8)
       WHERE id = ANY($1::integer[])`,
      [found.map(({ id }) => id), now, JSON.stringify(giveUpSeconds)],
    );
    if (found.length > 0) await tx.query('SELECT pg_notify($1, $2)', [ALERT_DELIVERY_CHANNEL, '']);
    return found;
  }

  /** Returns the deleted messages. */
  async deleteOfAll(filter: GivenUpFilter, tx: Tx): Promise<GivenUpMessage[]> {
    const found = await this.lock(filter, tx);
    await tx.query('DELETE FROM alert_delivery WHERE id = ANY($1::integer[])', [found.map(({ id }) => id)]);
    return found;
  }

  private lock({ orgId, ids }: GivenUpFilter, tx: Tx): Promise<GivenUpMessage[]> {
    return tx.query(
      `SELECT ${MESSAGE} FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
       WHERE ${CHOSEN} ORDER BY d.id FOR UPDATE OF d`,
      [orgId, ids],
    );
  }
}
