import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { Transactions, type Tx } from '../../common/database/transactions.js';
import { Links } from '../../common/http/links.js';
import { pageOf } from '../../common/paging/paging.js';
import { DAY } from '../../common/time.js';
import { CONSOLE_PATHS } from '../../platform/mail/console-paths.types.js';
import { MailNotConfiguredError, MailUnavailableError } from '../../platform/mail/mail.errors.js';
import { MailerService } from '../../platform/mail/mailer.service.js';
import { OrgService } from '../org/org.service.js';
import { AccountLinksService } from '../user/account-links.service.js';
import { AdministratorsService } from '../user/administrators.service.js';
import { toUserDto, viewerOf } from '../user/user.functions.js';
import { invitationMail } from './account-mails.js';
import { type InvitedUserDto, type UsersDto } from './dto/user-answers.dto.js';
import {
  type ChangeUserParams,
  type InviteUserParams,
  type ListUsersParams,
} from './dto/user-administration.params.js';
import { MailedAddressesService } from './mailed-addresses.service.js';
import { UserActsService } from './user-acts.service.js';
import { UserStateConflictError } from '../user/user.errors.js';
import { AccountAccessService } from '../session/account-access.service.js';
import { UserService } from '../user/user.service.js';
import { type User, USER_STATES, type UserFields } from '../user/user.types.js';

/** Lists the users of an organisation that the caller may see. */
@Injectable()
export class UserListingService {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
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
}

const VALID_SECONDS = 7 * DAY;

/** Invitation of a user who has no password yet. */
export interface Invitation {
  orgId: number;
  orgName: string;
  userId: number;
  email: string;
  /** Name of the inviter; may be empty. */
  inviter: string;
}

@Injectable()
export class InvitationsService {
  constructor(
    private readonly accountLinks: AccountLinksService,
    private readonly links: Links,
    private readonly mailer: MailerService,
    private readonly mailed: MailedAddressesService,
  ) {}

  /** Creates a token; older tokens of the user become invalid when `tx` is committed. @throws RateLimitedError */
  async create(orgId: number, userId: number, email: string, tx: Tx): Promise<string> {
    // Without a mail server nothing is sent: the inviter gets the link.
    if (this.mailer.isConfigured) await this.mailed.countInvitation(orgId, email);
    return this.accountLinks.create({ userId, purpose: 'invite', validSeconds: VALID_SECONDS, form: 'hex32' }, tx);
  }

  /** Mails a token, after its transaction. If no mail can be sent, returns the link for the inviter. */
  async deliver(invitation: Invitation, token: string): Promise<{ isSent: boolean; url: string | null }> {
    const { email, orgId } = invitation;
    const url = this.links.console(CONSOLE_PATHS.verify, { email, token });
    try {
      await this.mailer.send({ to: email, orgId, ...invitationMail({ ...invitation, token, url }) });
      return { isSent: true, url: null };
    } catch (error) {
      if (error instanceof MailNotConfiguredError || error instanceof MailUnavailableError)
        return { isSent: false, url };
      throw error;
    }
  }
}

/** Administrators invite and change the users of their organisation. */
@Injectable()
export class UserAdministrationService {
  constructor(
    private readonly users: UserService,
    private readonly orgs: OrgService,
    private readonly administrators: AdministratorsService,
    private readonly invitations: InvitationsService,
    private readonly access: AccountAccessService,
    private readonly transactions: Transactions,
    private readonly acts: UserActsService,
  ) {}

  /** @throws EmailTakenError, UserLimitReachedError */
  async invite(caller: KnownCaller, params: InviteUserParams): Promise<InvitedUserDto> {
    const orgId = caller.org.id;
    const { email, name, admin } = params;
    const { user, token } = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      await this.users.requireRoom(orgId, tx);
      const user = await this.users.create({ orgId, email, name, admin }, tx);
      const token = await this.invitations.create(orgId, user.id, email, tx);
      await this.acts.recordInvitation(caller, user, params, tx);
      return { user, token };
    });
    return this.answerWith(caller, user, token);
  }

  /** @throws UserNotFoundError, LastAdminError, UserStateConflictError */
  async change(caller: KnownCaller, userId: number, params: ChangeUserParams): Promise<InvitedUserDto> {
    const orgId = caller.org.id;
    const { after, token } = await this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const before = await this.users.getById(orgId, userId, tx);
      const hasNeverJoined = before.lastLoginAt === null && (await this.users.passwordHash(orgId, userId, tx)) === null;
      const fields = requestedFields(before, params, hasNeverJoined);
      if (before.admin && (fields.admin === false || fields.state === 'disabled')) {
        await this.administrators.requireAnother(orgId, userId, tx);
      }
      const after = await this.users.update(orgId, userId, fields, tx);
      if (before.state !== 'disabled' && after.state === 'disabled') {
        await this.access.endSessionsOf(userId, tx);
      }
      await this.acts.recordChange(caller, before, after, tx);
      return {
        after,
        token: params.resend_invite === true ? await this.newInvitation(orgId, after, tx) : null,
      };
    });
    return this.answerWith(caller, after, token);
  }

  private newInvitation(orgId: number, user: User, tx: Tx): Promise<string> {
    if (user.state !== 'invited') {
      throw new UserStateConflictError(
        `User ${String(user.id)} is ${user.state}: only invited users can be invited again.`,
      );
    }
    return this.invitations.create(orgId, user.id, user.email ?? '', tx);
  }

  private async answerWith(caller: KnownCaller, user: User, token: string | null): Promise<InvitedUserDto> {
    const orgId = caller.org.id;
    const org = await this.orgs.getById(orgId);
    const viewer = viewerOf(caller);
    const dto = toUserDto(user, this.orgs.toDto(org), viewer);
    if (token === null || user.email === null) {
      return { user: dto, invite_sent: false, invite_url: null, message: 'OK' };
    }
    const inviter = viewer.userId === null ? '' : (await this.users.getById(orgId, viewer.userId)).name;
    const invitation = { orgId, orgName: org.name, userId: user.id, email: user.email, inviter };
    const { isSent, url } = await this.invitations.deliver(invitation, token);
    const message = isSent ? 'OK' : 'No mail could be sent; pass the link on yourself.';
    return { user: dto, invite_sent: isSent, invite_url: url, message };
  }
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
    // A user who never joined cannot log in yet.
    ...(isBack ? { state: hasNeverJoined ? ('invited' as const) : ('active' as const) } : {}),
    ...(state === 'disabled' ? { state } : {}),
  };
}
