import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository } from 'typeorm';
import { BillingAccountEntity } from './billing-account.entity.js';

@Injectable()
export class BillingAccountRepository {
  constructor(@InjectRepository(BillingAccountEntity) private readonly rows: Repository<BillingAccountEntity>) {}

  find(orgId: number): Promise<BillingAccountEntity | null> {
    return this.rows.findOneBy({ orgId });
  }
}
