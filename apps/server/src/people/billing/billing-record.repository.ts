import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Page } from '../../common/paging/paging.js';
import { BillingRecordEntity } from './billing.entity.js';

/** The plan stays as it was when the invoice was first seen: later changes of the price list do not affect it. */
const FOLLOWS_PROVIDER = ['created_at', 'period_from', 'period_until', 'amount', 'currency', 'status', 'invoice_url'];

@Injectable()
export class BillingRecordRepository {
  constructor(@InjectRepository(BillingRecordEntity) private readonly rows: Repository<BillingRecordEntity>) {}

  async upsert(orgId: number, records: readonly Omit<BillingRecordEntity, 'orgId'>[], tx: Tx): Promise<void> {
    if (records.length === 0) return;
    await tx
      .getRepository(BillingRecordEntity)
      .createQueryBuilder()
      .insert()
      .values(records.map((record) => ({ ...record, orgId })))
      .orUpdate(FOLLOWS_PROVIDER, ['org_id', 'invoice_id'])
      .execute();
  }

  /** A page, newest first, and the total number. */
  findPage(orgId: number, { limit, offset }: Page): Promise<[BillingRecordEntity[], number]> {
    return this.rows.findAndCount({
      where: { orgId },
      order: { createdAt: 'DESC', invoiceId: 'DESC' },
      take: limit,
      skip: offset,
    });
  }
}
