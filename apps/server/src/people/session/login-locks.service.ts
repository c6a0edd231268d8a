import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { type CountedTry } from '../../common/http/rate-limits.js';
import { UserService } from '../user/user.service.js';
import { AfterAnswer } from './after-answer.service.js';

/** Tells the administrators of an organisation when one of its accounts is locked for a while. */
@Injectable()
export class LoginLocks {
  constructor(
    private readonly users: UserService,
    private readonly audit: AuditTrail,
    private readonly after: AfterAnswer,
  ) {}

  /** Called for every try that failed; `account` is null when there is none of that name. */
  noteFailure(counted: CountedTry, account: { orgId: number; userId: number } | null): void {
    if (counted.remaining > 0 || account === null) return;
    const { orgId, userId } = account;
    this.after.schedule('A locked account could not be written into the audit log', async () => {
      const { email, name } = await this.users.getById(orgId, userId);
      const object = { type: 'user', id: String(userId), name: email ?? name };
      await this.audit.record({ orgId, actor: SYSTEM_ACTOR, action: 'login.locked', object });
    });
  }
}
