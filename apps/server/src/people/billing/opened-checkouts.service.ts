import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions } from '../../common/database/transactions.js';
import { dateOf } from '../../common/time.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { type BillingCheckoutEntity } from './billing.entity.js';
import { BillingCheckoutRepository } from './billing-checkout.repository.js';
import { type OpenedCheckout } from './billing.types.js';
import { type Plan } from './plan.types.js';

/** The checkouts that this installation opened. Only a hash of the provider's id of a checkout is stored. */
@Injectable()
export class OpenedCheckoutsService {
  constructor(
    private readonly checkouts: BillingCheckoutRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrailService,
  ) {}

  /** Stores a checkout together with its audit entry. */
  async record(caller: KnownCaller, checkout: OpenedCheckout, plan: Plan, returnUrl: string): Promise<void> {
    const orgId = caller.org.id;
    await this.transactions.run(async (tx) => {
      const expiresAt = dateOf(checkout.expiresTimestamp);
      const sessionHash = hashOf(checkout.id);
      await this.checkouts.insert(orgId, { sessionHash, planId: plan.id, returnUrl, expiresAt }, tx);
      const object = { type: 'plan', id: plan.id, name: plan.name };
      await this.audit.record({ orgId, actor: actorOf(caller), action: 'billing.checkout', object }, tx);
    });
  }

  /** @param sessionId the provider's id of the checkout */
  find(sessionId: string): Promise<BillingCheckoutEntity | null> {
    return this.checkouts.findByHash(hashOf(sessionId));
  }
}

function hashOf(sessionId: string): Buffer {
  return createHash('sha256').update(sessionId).digest();
}
