import { Injectable } from '@nestjs/common';
import { And, IsNull, LessThan, Not, type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { BillingAccountEntity } from './billing.entity.js';

export type BillingState = Pick<
  BillingAccountEntity,
  'subscriptionId' | 'plan' | 'renewsAt' | 'cancelsAt' | 'checkedAt'
>;

@Injectable()
export class BillingAccountRepository {
  constructor(@InjectRepository(BillingAccountEntity) private readonly rows: Repository<BillingAccountEntity>) {}

  find(orgId: number): Promise<BillingAccountEntity | null> {
    return this.rows.findOneBy({ orgId });
  }

  /** Returns the account; creates it if there is none yet. */
  async findOrInsert(orgId: number, customerKey: string): Promise<BillingAccountEntity> {
    await this.rows.createQueryBuilder().insert().values({ orgId, customerKey }).orIgnore().execute();
    return this.rows.findOneByOrFail({ orgId });
  }

  /** Sets the customer that was created with a key. The first caller wins. */
  async setCustomer(orgId: number, customerKey: string, customerId: string): Promise<void> {
    await this.rows.update({ orgId, customerKey, customerId: IsNull() }, { customerId });
  }

  /** Removes a customer that the provider no longer has, so that a new one can be created. */
  async dropCustomer(orgId: number, customerId: string, nextKey: string): Promise<void> {
    await this.rows.update({ orgId, customerId }, { customerId: null, customerKey: nextKey });
  }

  /** The organisation of a customer of the provider; null for unknown customers. */
  async orgOfCustomer(customerId: string): Promise<number | null> {
    return (await this.rows.findOneBy({ customerId }))?.orgId ?? null;
  }

  /** Locks the account until the transaction ends. */
  lock(orgId: number, tx: Tx): Promise<BillingAccountEntity | null> {
    return tx.getRepository(BillingAccountEntity).findOne({ where: { orgId }, lock: { mode: 'pessimistic_write' } });
  }

  async write(orgId: number, revision: number, state: BillingState, tx: Tx): Promise<void> {
    await tx.getRepository(BillingAccountEntity).update({ orgId }, { ...state, revision });
  }

  /**
   * Organisations of the whole installation whose state was requested from the provider before `before`, oldest request
   * first.
   */
  async checkedBefore(before: Date, limit: number): Promise<number[]> {
    const rows = await this.rows.find({
      select: { orgId: true },
      where: { customerId: Not(IsNull()), checkedAt: And(Not(IsNull()), LessThan(before)) },
      order: { checkedAt: 'ASC' },
      take: limit,
    });
    return rows.map(({ orgId }) => orgId);
  }
}
