import { Injectable } from '@nestjs/common';
import { IsNull, type Repository } from 'typeorm';
import { idFor } from '../../common/database/dry-run.js';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { SourceEntity } from './source.entity.js';

/** Sources as people see and change them. */
@Injectable()
export class SourceRepository {
  constructor(@InjectRepository(SourceEntity) private readonly rows: Repository<SourceEntity>) {}

  private in(tx?: Tx): Repository<SourceEntity> {
    return tx ? tx.getRepository(SourceEntity) : this.rows;
  }

  findById(orgId: number, id: number, tx?: Tx): Promise<SourceEntity | null> {
    return this.in(tx).findOneBy({ orgId, id, deletedAt: IsNull() });
  }

  /** Also one that is deleted. */
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

  /** What a read under way writes down later is not taken. */
  async update(orgId: number, id: number, fields: Partial<SourceEntity>, tx: Tx): Promise<void> {
    await this.in(tx).update({ orgId, id }, { ...fields, tries: () => 'tries + 1' });
  }
}
