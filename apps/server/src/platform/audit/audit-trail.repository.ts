import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { HOUR } from '../../common/time.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { type AuditAct, type AuditChange } from './audit.types.js';

export interface TimedAct extends Omit<AuditAct, 'orgId'> {
  /** Unix seconds. */
  timestamp: number;
  ip: string | null;
  requestId: string | null;
}

/** Writes entries, and drops old ones. */
@Injectable()
export class AuditTrailRepository {
  constructor(@InjectRepository(AuditEntryEntity) private readonly rows: Repository<AuditEntryEntity>) {}

  /**
   * The name of the actor is looked up and stored: an entry shows the actor even after users and tokens are removed.
   */
  async insert(orgId: number, act: TimedAct, tx?: Tx): Promise<void> {
    const { actor, object } = act;
    await (tx ?? this.rows).query(
      `INSERT INTO audit_entry (org_id, happened_at, actor_type, actor_user_id, actor_token_ref, actor_name, ip, action,
              object_type, object_id, object_name, changes, request_id)
       VALUES ($1, to_timestamp($2), $3, $4::integer, $5::integer,
               CASE $3
                 WHEN 'user' THEN coalesce(
                   (SELECT coalesce(nullif(name, ''), email) FROM user_account WHERE id = $4::integer), '')
                 WHEN 'token' THEN coalesce((SELECT name FROM token WHERE org_id = $1 AND ref = $5::integer), '')
                 WHEN 'operator' THEN 'Operator'
                 ELSE (SELECT name FROM user_account WHERE id = 1)
               END,
               $6, $7, $8, $9, $10, $11::jsonb, $12)`,
      [
        orgId,
        act.timestamp,
        actor.type,
        actor.userId ?? null,
        actor.tokenRef ?? null,
        act.ip,
        act.action,
        object.type,
        object.id,
        object.name,
        JSON.stringify(act.changes ?? []),
        act.requestId,
      ],
    );
  }

  /**
   * The changes of the newest act of a kind on an object; null if there is none. The object is identified by its id or
   * its name.
   */
  async findChanges(
    orgId: number,
    action: string,
    object: { id: string } | { name: string },
  ): Promise<readonly AuditChange[] | null> {
    const where = 'id' in object ? { objectId: object.id } : { objectName: object.name };
    const found = await this.rows.findOne({
      where: { orgId, action, ...where },
      order: { happenedAt: 'DESC', id: 'DESC' },
      select: { id: true, changes: true },
    });
    return found?.changes ?? null;
  }

  /** Drops at most `limit` entries that are older than 400 days by the clock of the database; returns their number. */
  @Housekeeping({
    everyMs: HOUR * 1000,
    failure: 'Old audit entries could not be dropped',
    role: 'detect',
    batch: 10_000,
  })
  async forgetExpired(_now: number, limit: number): Promise<number> {
    const rows: { dropped: number }[] = await this.rows.query('SELECT audit_entry_forget($1) AS dropped', [limit]);
    return rows[0]!.dropped;
  }
}
