import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { BillingCheckoutEntity } from './billing.entity.js';

@Injectable()
export class BillingCheckoutRepository {
  constructor(@InjectRepository(BillingCheckoutEntity) private readonly rows: Repository<BillingCheckoutEntity>) {}

  async insert(orgId: number, checkout: Omit<BillingCheckoutEntity, 'orgId'>, tx: Tx): Promise<void> {
    await tx.getRepository(BillingCheckoutEntity).insert({ orgId, ...checkout });
  }

  findByHash(sessionHash: Buffer): Promise<BillingCheckoutEntity | null> {
    return this.rows.findOneBy({ sessionHash });
  }

  async forgetExpired(before: Date): Promise<void> {
    await this.rows.delete({ expiresAt: LessThan(before) });
  }
}
