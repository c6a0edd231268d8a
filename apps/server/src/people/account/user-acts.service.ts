import { Injectable } from '@nestjs/common';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { actorOf, changesBetween } from '../../platform/audit/audit-act.functions.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { byCaller } from '../../platform/event/event.functions.js';
import { auditedUser, nameForOthers } from '../user/user.functions.js';
import { type User } from '../user/user.types.js';
import { type InviteUserParams } from './dto/user-administration.params.js';

/** Records changes of users by administrators: the audit entry within the transaction, the event after its commit. */
@Injectable()
export class UserActsService {
  constructor(
    private readonly events: EventRecorderService,
    private readonly audit: AuditTrailService,
  ) {}

  async recordInvitation(
    caller: KnownCaller,
    user: User,
    { email, name, admin }: InviteUserParams,
    tx: Tx,
  ): Promise<void> {
    const changes = changesBetween({}, { email, name, admin });
    await this.audit.record(
      { orgId: caller.org.id, actor: actorOf(caller), action: 'user.invite', object: auditedUser(user), changes },
      tx,
    );
    this.recordEvent(caller, 'user_invited', user, `${nameForOthers(user)} was invited.`, tx);
  }

  /** Records nothing if nothing has changed. */
  async recordChange(caller: KnownCaller, before: User, after: User, tx: Tx): Promise<void> {
    const changes = changesBetween(shownOf(before), shownOf(after));
    if (changes.length === 0) return;
    const isDisabled = after.state === 'disabled' && before.state !== 'disabled';
    const isEnabled = after.state !== 'disabled' && before.state === 'disabled';
    const action = isDisabled ? 'user.disable' : isEnabled ? 'user.enable' : 'user.update';
    const object = auditedUser(after);
    await this.audit.record({ orgId: caller.org.id, actor: actorOf(caller), action, object, changes }, tx);
    this.recordEvent(caller, 'user_changed', after, changeText(before, after), tx);
  }

  private recordEvent(
    caller: KnownCaller,
    type: 'user_invited' | 'user_changed',
    user: User,
    message: string,
    tx: Tx,
  ): void {
    const ref = { kind: 'user', id: String(user.id) };
    this.events.record({ orgId: caller.org.id, type, level: 'info', message, ref, ...byCaller(caller) }, tx);
  }
}

/** Fields of other users that an administrator may change. */
function shownOf({ name, admin, state }: User): Pick<User, 'name' | 'admin' | 'state'> {
  return { name, admin, state };
}

function changeText(before: User, after: User): string {
  const who = nameForOthers(after);
  const parts = [
    ...(before.name === after.name ? [] : ['has another name']),
    ...(before.admin === after.admin ? [] : [after.admin ? 'is an administrator' : 'is no longer an administrator']),
    ...(before.state === after.state ? [] : [after.state === 'disabled' ? 'can no longer log in' : 'can log in again']),
  ];
  return `${who} ${parts.join(' and ')}.`;
}
