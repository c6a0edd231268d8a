import { Injectable } from '@nestjs/common';
import { type UserCaller } from '../../common/auth/caller.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { auditedUser } from '../user/user.functions.js';
import { UserService } from '../user/user.service.js';
import { type DoneDto, type OwnSessionsDto } from './dto/session-answers.dto.js';
import { SessionNotFoundError } from './session.errors.js';
import { SessionService } from './session.service.js';
import { type LoginClient } from './session.types.js';

/** Used instead of a handle: all sessions except the one of the call. */
const OTHERS = 'others';

/** Lists the sessions of a user, and ends them remotely. */
@Injectable()
export class SessionOverviewService {
  constructor(
    private readonly sessions: SessionService,
    private readonly users: UserService,
    private readonly audit: AuditTrailService,
    private readonly transactions: Transactions,
  ) {}

  async list(caller: UserCaller): Promise<OwnSessionsDto> {
    const own = this.sessions.refsOf(caller.sessionId);
    const live = await this.sessions.listLive(caller.userId);
    return {
      sessions: live.map(({ ref, createdTimestamp, lastUsedTimestamp, address, client }) => ({
        ref,
        current: own.includes(ref),
        created_timestamp: createdTimestamp,
        last_used_timestamp: lastUsedTimestamp,
        address,
        client,
      })),
    };
  }

  /**
   * Ending a session again has the same result.
   * @param ref handle of a session of the caller, or `others`
   * @throws SessionNotFoundError
   */
  async end(caller: UserCaller, ref: string, client: LoginClient): Promise<DoneDto> {
    await this.transactions.run(async (tx) => {
      if (ref === OTHERS) await this.sessions.endAllOf(caller.userId, caller.sessionId, tx);
      else if (!(await this.endOne(caller, ref, tx))) return;
      const object = auditedUser(await this.users.getById(caller.org.id, caller.userId, tx));
      const action = ref === OTHERS ? 'session.end_others' : 'session.end';
      await this.audit.record({ orgId: caller.org.id, actor: actorOf(caller), action, object }, tx);
    });
    if (this.sessions.refsOf(caller.sessionId).includes(ref)) client.signOut();
    return { message: 'OK' };
  }

  /** Returns true if it was alive. */
  private async endOne(caller: UserCaller, ref: string, tx: Tx): Promise<boolean> {
    const found = await this.sessions.endByRef(caller.userId, ref, tx);
    if (found === 'unknown') throw new SessionNotFoundError(ref);
    return found === 'ended';
  }
}
