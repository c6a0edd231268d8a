import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { BillingEventEntity } from './billing.entity.js';

@Injectable()
export class BillingEventRepository {
  constructor(@InjectRepository(BillingEventEntity) private readonly rows: Repository<BillingEventEntity>) {}

  isApplied(orgId: number, eventId: string): Promise<boolean> {
    return this.rows.existsBy({ orgId, eventId });
  }

  async record(orgId: number, event: Omit<BillingEventEntity, 'orgId'>, tx: Tx): Promise<void> {
    const row = { orgId, ...event };
    await tx.getRepository(BillingEventEntity).createQueryBuilder().insert().values(row).orIgnore().execute();
  }

  async forgetOld(before: Date): Promise<void> {
    await this.rows.delete({ appliedAt: LessThan(before) });
  }
}
