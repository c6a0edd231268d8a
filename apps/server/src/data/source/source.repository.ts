import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { idFor } from '../../common/database/dry-run.js';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { SourceWriteBackEntity } from './source-write-back.entity.js';
import { SourceEntity } from './source.entity.js';

/** Sources as people see and change them. */
@Injectable()
export class SourceRepository {
  constructor(
    @InjectRepository(SourceEntity) private readonly rows: Repository<SourceEntity>,
    @InjectRepository(SourceWriteBackEntity) private readonly writeBacks: Repository<SourceWriteBackEntity>,
  ) {}

  private in(tx?: Tx): Repository<SourceEntity> {
    return tx ? tx.getRepository(SourceEntity) : this.rows;
  }

  findById(orgId: number, id: number, tx?: Tx): Promise<SourceEntity | null> {
    return this.in(tx).findOneBy({ orgId, id, deletedAt: IsNull() });
  }

  /** Also returns a deleted one. */
  findEver(orgId: number, id: number, tx: Tx): Promise<SourceEntity | null> {
    return this.in(tx).findOneBy({ orgId, id });
  }

  /** By name. */
  listAll(orgId: number, tx?: Tx): Promise<SourceEntity[]> {
    return this.in(tx).find({ where: { orgId, deletedAt: IsNull() }, order: { name: 'ASC', id: 'ASC' } });
  }

  findByName(orgId: number, name: string, tx: Tx): Promise<SourceEntity | null> {
    return this.in(tx).findOneBy({ orgId, name, deletedAt: IsNull() });
  }

  count(orgId: number, tx: Tx): Promise<number> {
    return this.in(tx).countBy({ orgId, deletedAt: IsNull() });
  }

  async insert(row: Omit<SourceEntity, 'id'>, tx: Tx): Promise<SourceEntity> {
    const { identifiers } = await this.in(tx).insert({ ...row, ...idFor(tx) });
    return { ...row, id: (identifiers[0] as { id: number }).id };
  }

  /** Later writes of a running read are ignored. */
  async update(orgId: number, id: number, fields: Partial<SourceEntity>, tx: Tx): Promise<void> {
    await this.in(tx).update({ orgId, id }, { ...fields, tries: () => 'tries + 1' });
  }

  /** Progress of the sources with write-back. */
  listWriteBacks(orgId: number): Promise<SourceWriteBackEntity[]> {
    return this.writeBacks.findBy({ orgId });
  }

  findWriteBack(orgId: number, id: number): Promise<SourceWriteBackEntity | null> {
    return this.writeBacks.findOneBy({ orgId, id });
  }

  /**
   * Also immediately restarts one that had stopped its retries. @param isElsewhere another store: writing begins with
   * the newest slot
   */
  async beginWriteBack(
    orgId: number,
    id: number,
    { isElsewhere, now }: { isElsewhere: boolean; now: Date },
    tx: Tx,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO source_write_back AS w (id, org_id, watermark, failures, is_stopped, last_error, due_at, tries)
       VALUES ($1, $2, NULL, 0, false, NULL, $3, 0)
       ON CONFLICT (id) DO UPDATE SET watermark = CASE WHEN $4 THEN NULL ELSE w.watermark END, failures = 0,
         is_stopped = false, last_error = NULL, due_at = $3, tries = w.tries + 1`,
      [id, orgId, now, isElsewhere],
    );
  }

  async endWriteBack(orgId: number, id: number, tx: Tx): Promise<void> {
    await tx.getRepository(SourceWriteBackEntity).delete({ orgId, id });
  }
}
