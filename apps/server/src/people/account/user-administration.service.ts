import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/audit/audit-trail.service.js';
import { actorOf, changesBetween } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { pageOf } from '../../common/paging/paging.js';
import { byCaller } from '../../platform/event/event.types.js';
import { EventRecorder } from '../../platform/event/event-recorder.service.js';
import { OrgService } from '../org/org.service.js';
import { SessionService } from '../session/session.service.js';
import { AccountLinks } from '../user/account-links.service.js';
import { Administrators } from '../user/administrators.service.js';
import { type InvitedUserDto, type UsersDto } from './dto/user-answers.dto.js';
import {
  type ChangeUserParams,
  type InviteUserParams,
  type ListUsersParams,
} from './dto/user-administration.params.js';
import { Invitations } from './invitations.service.js';
import { UserStateConflictError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import {
  auditedUser,
  nameForOthers,
  toUserDto,
  type User,
  USER_STATES,
  type UserFields,
  viewerOf,
} from '../user/user.types.js';

/** The calls of administrators about the users of their organisation, with their answers. */
@Injectable()
export class UserAdministration {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly administrators: Administrators,
    private readonly invitations: Invitations,
    private readonly links: AccountLinks,
    private readonly sessions: SessionService,
    private readonly transactions: Transactions,
    private readonly events: EventRecorder,
    private readonly audit: AuditTrail,
  ) {}

  async list(caller: KnownCaller, { state = USER_STATES, ...page }: ListUsersParams): Promise<UsersDto> {
    const orgId = caller.org.id;
    const viewer = viewerOf(caller);
    const org = this.orgs.toDto(await this.orgs.getById(orgId));
    if (viewer.demo && viewer.userId !== null) {
      const own = [await this.users.getById(orgId, viewer.userId)].filter((user) => state.includes(user.state));
      const shown = own.slice(page.offset, page.offset + page.limit);
      return { users: shown.map((user) => toUserDto(user, org, viewer)), ...pageOf(page, own.length) };
    }
    const [users, total] = await this.users.list(orgId, state, page);
    return { users: users.map((user) => toUserDto(user, org, viewer)), ...pageOf(page, total) };
  }

  /** @throws EmailTakenError, UserLimitReachedError */
  async invite(caller: KnownCaller, { email, name, admin }: InviteUserParams): Promise<InvitedUserDto> {
    const orgId = caller.org.id;
    const { user, token } = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      await this.users.requireRoom(orgId, tx);
      const user = await this.users.create({ orgId, email, name, admin }, tx);
      const token = await this.invitations.create(user.id, email, tx);
      const changes = changesBetween({}, { email, name, admin });
      await this.audit.record(
        { orgId, actor: actorOf(caller), action: 'user.invite', object: auditedUser(user), changes },
        tx,
      );
      return { user, token };
    });
    this.recordEvent(caller, 'user_invited', user, `${nameForOthers(user)} was invited.`);
    return this.answerWith(caller, user, token);
  }

  /** @throws UserNotFoundError, LastAdminError, UserStateConflictError */
  async change(caller: KnownCaller, userId: number, params: ChangeUserParams): Promise<InvitedUserDto> {
    const orgId = caller.org.id;
    const { before, after, token } = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.users.getById(orgId, userId, tx);
      const hasNeverJoined = before.lastLoginAt === null && (await this.users.passwordHash(orgId, userId, tx)) === null;
      const fields = requestedFields(before, params, hasNeverJoined);
      if (before.admin && (fields.admin === false || fields.state === 'disabled')) {
        await this.administrators.requireAnother(orgId, userId, tx);
      }
      const after = await this.users.update(orgId, userId, fields, tx);
      if (before.state !== 'disabled' && after.state === 'disabled') {
        await this.sessions.endAllOf(userId, undefined, tx);
        await this.links.revokeAllOf(userId, undefined, tx);
      }
      await this.auditChange(caller, before, after, tx);
      return { before, after, token: params.resend_invite === true ? await this.newInvitation(after, tx) : null };
    });
    if (changesBetween(shownOf(before), shownOf(after)).length > 0) {
      this.recordEvent(caller, 'user_changed', after, changeText(before, after));
    }
    return this.answerWith(caller, after, token);
  }

  private newInvitation(user: User, tx: Tx): Promise<string> {
    if (user.state !== 'invited') {
      throw new UserStateConflictError(
        `User ${String(user.id)} is ${user.state}: only invited users can be invited again.`,
      );
    }
    return this.invitations.create(user.id, user.email ?? '', tx);
  }

  private async auditChange(caller: KnownCaller, before: User, after: User, tx: Tx): Promise<void> {
    const changes = changesBetween(shownOf(before), shownOf(after));
    if (changes.length === 0) return;
    const isDisabled = after.state === 'disabled' && before.state !== 'disabled';
    const isEnabled = after.state !== 'disabled' && before.state === 'disabled';
    const action = isDisabled ? 'user.disable' : isEnabled ? 'user.enable' : 'user.update';
    const object = auditedUser(after);
    await this.audit.record({ orgId: caller.org.id, actor: actorOf(caller), action, object, changes }, tx);
  }

  private async answerWith(caller: KnownCaller, user: User, token: string | null): Promise<InvitedUserDto> {
    const orgId = caller.org.id;
    const org = await this.orgs.getById(orgId);
    const viewer = viewerOf(caller);
    const dto = toUserDto(user, this.orgs.toDto(org), viewer);
    if (token === null || user.email === null) return { user: dto, invite_sent: false, invite_url: null };
    const inviter = viewer.userId === null ? '' : (await this.users.getById(orgId, viewer.userId)).name;
    const invitation = { orgId, orgName: org.name, userId: user.id, email: user.email, inviter };
    const { isSent, url } = await this.invitations.deliver(invitation, token);
    return { user: dto, invite_sent: isSent, invite_url: url };
  }

  private recordEvent(caller: KnownCaller, type: 'user_invited' | 'user_changed', user: User, message: string): void {
    this.events.record({
      orgId: caller.org.id,
      type,
      level: 'info',
      message,
      ref: { kind: 'user', id: String(user.id) },
      ...byCaller(caller),
    });
  }
}

/** What an administrator may change of others. */
function shownOf({ name, admin, state }: User): Pick<User, 'name' | 'admin' | 'state'> {
  return { name, admin, state };
}

function requestedFields(user: User, { name, admin, state }: ChangeUserParams, hasNeverJoined: boolean): UserFields {
  if (admin === true && user.demo) {
    throw new UserStateConflictError('A demo user cannot be an administrator.');
  }
  if (state === 'active' && user.state === 'invited') {
    throw new UserStateConflictError('An invited user becomes active by accepting the invitation; send it again.');
  }
  const isBack = state === 'active' && user.state === 'disabled';
  return {
    ...(name === undefined ? {} : { name }),
    ...(admin === undefined ? {} : { admin }),
    // Who never was there has no way to log in yet.
    ...(isBack ? { state: hasNeverJoined ? ('invited' as const) : ('active' as const) } : {}),
    ...(state === 'disabled' ? { state } : {}),
  };
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
