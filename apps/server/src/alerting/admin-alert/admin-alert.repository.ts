import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { AdminAlertEntity, OperatorAlertEntity } from './admin-alert.entity.js';
import { type AdminAlertId } from './admin-alert.types.js';

/** Admin alerts of organisations, and conditions that concern the operator. Times in Unix seconds. */
@Injectable()
export class AdminAlertRepository {
  constructor(
    @InjectRepository(AdminAlertEntity) private readonly rows: Repository<AdminAlertEntity>,
    @InjectRepository(OperatorAlertEntity) private readonly operatorRows: Repository<OperatorAlertEntity>,
  ) {}

  private in(tx?: Tx): Repository<AdminAlertEntity> {
    return tx ? tx.getRepository(AdminAlertEntity) : this.rows;
  }

  /** Those with settings or a state. */
  list(orgId: number, tx?: Tx): Promise<AdminAlertEntity[]> {
    return this.in(tx).find({ where: { orgId }, order: { typeId: 'ASC' } });
  }

  /** The row, created if it does not exist, locked until the end of the transaction. */
  async lock(orgId: number, typeId: AdminAlertId, tx: Tx): Promise<AdminAlertEntity> {
    await this.in(tx).createQueryBuilder().insert().values({ orgId, typeId }).orIgnore().execute();
    return this.in(tx).findOneOrFail({ where: { orgId, typeId }, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    orgId: number,
    typeId: AdminAlertId,
    fields: Partial<Omit<AdminAlertEntity, 'orgId' | 'typeId'>>,
    tx: Tx,
  ): Promise<void> {
    await this.in(tx).update({ orgId, typeId }, fields);
  }

  /** Waiting and raised alerts of all organisations. */
  listActiveOfAll(): Promise<Pick<AdminAlertEntity, 'orgId' | 'typeId'>[]> {
    return this.rows
      .createQueryBuilder('a')
      .select('a.org_id', 'orgId')
      .addSelect('a.type_id', 'typeId')
      .where(`a.state <> 'ok'`)
      .getRawMany();
  }

  /** Adds refused requests of an organisation; after `quietSeconds` without any the count restarts. */
  async noteRefused(orgId: number, requests: number, now: number, quietSeconds: number): Promise<void> {
    await this.operatorRows.query(
      `INSERT INTO operator_alert AS o (org_id, since, last_refused_at, requests)
       SELECT id, $3, $3, $2 FROM org WHERE id = $1
       ON CONFLICT (org_id) DO UPDATE SET
         since = CASE WHEN o.told_at IS NULL AND o.last_refused_at < $3 - $4 THEN $3 ELSE o.since END,
         requests = CASE WHEN o.told_at IS NULL AND o.last_refused_at < $3 - $4 THEN 0 ELSE o.requests END + $2,
         last_refused_at = $3`,
      [orgId, requests, now, quietSeconds],
    );
  }

  listOperatorAlertsOfAll(): Promise<OperatorAlertEntity[]> {
    return this.operatorRows.find({ order: { orgId: 'ASC' } });
  }

  /** Returns whether this process sends the notices. */
  async claimNotification(orgId: number, now: number, tx: Tx): Promise<boolean> {
    const [, changed]: [unknown, number] = await tx.query(
      `UPDATE operator_alert SET told_at = $2 WHERE org_id = $1 AND told_at IS NULL`,
      [orgId, now],
    );
    return changed === 1;
  }

  /** Returns whether it existed; one that was refused again in the meantime stays. */
  async forgetOperatorAlert(orgId: number, quietSince: number, tx: Tx): Promise<boolean> {
    const [, changed]: [unknown, number] = await tx.query(
      `DELETE FROM operator_alert WHERE org_id = $1 AND last_refused_at <= $2`,
      [orgId, quietSince],
    );
    return changed === 1;
  }
}
