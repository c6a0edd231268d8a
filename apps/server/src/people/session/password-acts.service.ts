import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type UserCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { auditedUser } from '../user/user.functions.js';
import { type User } from '../user/user.types.js';
import { LoginMailsService } from './login-mails.service.js';

/** Records new passwords within the transaction that sets them: an audit entry, and a mail to the user. */
@Injectable()
export class PasswordActsService {
  constructor(
    private readonly audit: AuditTrailService,
    private readonly mails: LoginMailsService,
  ) {}

  /** @param address network address of the client */
  async recordChange(caller: UserCaller, user: User, address: string | undefined, tx: Tx): Promise<void> {
    const orgId = caller.org.id;
    await this.audit.record(
      { orgId, actor: actorOf(caller), action: 'user.password_change', object: auditedUser(user) },
      tx,
    );
    await this.mails.queuePasswordNotice(orgId, user, address, tx);
  }

  /** By a mailed link: the actor is the user. @param address network address of the client */
  async recordReset(orgId: number, user: User, address: string | undefined, tx: Tx): Promise<void> {
    const actor = { type: 'user', userId: user.id } as const;
    await this.audit.record({ orgId, actor, action: 'user.password_reset', object: auditedUser(user) }, tx);
    await this.mails.queuePasswordNotice(orgId, user, address, tx);
  }
}
