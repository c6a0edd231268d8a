import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type KnownCaller } from '../../common/auth/caller.js';
import { OrgService } from '../org/org.service.js';
import { UserService } from '../user/user.service.js';
import { type BillingAccountEntity } from './billing.entity.js';
import { BillingAccountRepository } from './billing-account.repository.js';
import { PaymentProviderError } from './billing.errors.js';
import { PaymentProviderService } from './payment-provider.service.js';

/** The customers of organisations at the payment provider. */
@Injectable()
export class BillingCustomersService {
  constructor(
    private readonly accounts: BillingAccountRepository,
    private readonly provider: PaymentProviderService,
    private readonly orgs: OrgService,
    private readonly users: UserService,
  ) {}

  /** Returns the organisation's customer at the provider. Concurrent and repeated calls create only one. */
  async getOrCreate(caller: KnownCaller): Promise<string> {
    const orgId = caller.org.id;
    const account = await this.accounts.findOrInsert(orgId, randomUUID());
    if (account.customerId !== null) return account.customerId;
    const created = await this.create(caller, account);
    await this.accounts.setCustomer(orgId, account.customerKey, created);
    const { customerId } = (await this.accounts.find(orgId)) ?? {};
    if (!customerId) throw new PaymentProviderError('The organisation changed meanwhile; try again.');
    return customerId;
  }

  /** Replaces a customer that the provider no longer has. Returns the id of the new one. */
  async replace(caller: KnownCaller, customerId: string): Promise<string> {
    await this.accounts.dropCustomer(caller.org.id, customerId, randomUUID());
    return this.getOrCreate(caller);
  }

  private async create(caller: KnownCaller, { orgId, customerKey }: BillingAccountEntity): Promise<string> {
    const { name } = await this.orgs.getById(orgId);
    const email =
      caller.kind === 'user' ? ((await this.users.getById(orgId, caller.userId)).email ?? undefined) : undefined;
    return this.provider.createCustomer({ orgId, name, email, key: customerKey });
  }
}
