import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { auditedUser, isSameEmail } from '../user/user.functions.js';
import { UserService } from '../user/user.service.js';
import { type User } from '../user/user.types.js';

/** Replaces the address of an account. */
@Injectable()
export class EmailReplacementService {
  constructor(
    private readonly users: UserService,
    private readonly accountLinks: AccountLinksService,
    private readonly audit: AuditTrailService,
  ) {}

  /** @param caller null if the link is the proof of identity @throws EmailTakenError */
  async replace(caller: UserCaller | null, user: User, email: string, tx: Tx): Promise<User> {
    const orgId = user.orgId ?? 0;
    // The confirmation by mail proves the address; a different spelling of the same address does not change what is
    // proven.
    const isProven = caller === null || (isSameEmail(email, user.email) && !user.emailUnproven);
    const after = await this.users.update(orgId, user.id, { email, emailUnproven: !isProven }, tx);
    // Links that were mailed to the old address are revoked.
    await this.accountLinks.revokeAllOf(user.id, undefined, tx);
    await this.audit.record(
      {
        orgId,
        actor: caller === null ? { type: 'user', userId: user.id } : actorOf(caller),
        action: 'user.email_change',
        object: auditedUser(after),
        changes: changesBetween({ email: user.email }, { email }),
      },
      tx,
    );
    return after;
  }
}
