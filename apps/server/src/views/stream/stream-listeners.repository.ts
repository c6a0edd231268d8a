import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { StreamListenerEntity } from './stream-listener.entity.js';

/** Age of the last update after which a listener is deleted, because its process has ended, seconds. */
const GONE_SECONDS = 60;

/** The listeners of all processes. Times are those of the database: the clocks of processes may differ. */
@Injectable()
export class StreamListenersRepository {
  constructor(@InjectRepository(StreamListenerEntity) private readonly rows: Repository<StreamListenerEntity>) {}

  /**
   * Returns the numbers of listeners before this call, and adds this one if both limits allow it. Blocks other callers
   * of the organisation until `tx` ends.
   */
  async add(
    orgId: number,
    { id, party, perParty, perOrg }: { id: string; party: string; perParty: number; perOrg: number },
    tx: Tx,
  ): Promise<{ ofParty: number; ofOrg: number }> {
    await tx.query('SELECT pg_advisory_xact_lock($1, $2)', [DATABASE_LOCKS.streamListeners.number, orgId]);
    await tx.query(`DELETE FROM stream_listener WHERE org_id = $1 AND seen_at < now() - make_interval(secs => $2)`, [
      orgId,
      GONE_SECONDS,
    ]);
    const rows: { ofParty: number; ofOrg: number }[] = await tx.query(
      `SELECT count(*) FILTER (WHERE party = $2)::integer AS "ofParty", count(*)::integer AS "ofOrg"
       FROM stream_listener WHERE org_id = $1`,
      [orgId, party],
    );
    const { ofParty, ofOrg } = rows[0]!;
    if (ofParty >= perParty || ofOrg >= perOrg) return { ofParty, ofOrg };
    await tx.query('INSERT INTO stream_listener (id, org_id, party, seen_at) VALUES ($1, $2, $3, now())', [
      id,
      orgId,
      party,
    ]);
    return { ofParty, ofOrg };
  }

  async remove(orgId: number, id: string): Promise<void> {
    await this.rows.delete({ orgId, id });
  }

  /** Renews listeners of this process. */
  async noteAlive(ids: readonly string[]): Promise<void> {
    await this.rows.query('UPDATE stream_listener SET seen_at = now() WHERE id = ANY($1::uuid[])', [ids]);
  }
}
