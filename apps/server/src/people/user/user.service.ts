import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { type Tx } from '../../common/database/transactions.js';
import { type Page } from '../../common/paging/paging.js';
import { isPlainEmail } from '../../common/validation/plain-email.js';
import { OrgService } from '../org/org.service.js';
import { PasswordService } from './password.service.js';
import { type UserDto } from './user.dto.js';
import { displayName, toUserDto, viewerOf } from './user.functions.js';
import { BadEmailError, UserLimitReachedError, UserNotFoundError, WeakPasswordError } from './user.errors.js';
import { UserRepository } from './user.repository.js';
import {
  type LoginAccount,
  type NewUser,
  type OwnFlag,
  type User,
  type UserFields,
  type UserState,
  type Viewer,
} from './user.types.js';

const MAX_EMAIL_LENGTH = 254;

const MAX_PER_ORG = 500;

@Injectable()
export class UserService {
  constructor(
    private readonly users: UserRepository,
    private readonly orgs: OrgService,
    private readonly passwords: PasswordService,
    private readonly clock: Clock,
  ) {}

  async getById(orgId: number, userId: number, tx?: Tx): Promise<User> {
    const user = await this.users.find(orgId, userId, tx);
    if (!user) throw new UserNotFoundError(userId);
    return user;
  }

  /** The users of the organisation with these ids, ordered by id. */
  findByIds(orgId: number, userIds: readonly number[], tx?: Tx): Promise<User[]> {
    return this.users.findMany(orgId, userIds, tx);
  }

  /**
   * Names of users in the form that the caller may read, by id; null ids and removed users are omitted. Demo users see
   * no other users, so they get no names.
   */
  async displayNames(
    caller: KnownCaller,
    userIds: readonly (number | null)[],
    tx?: Tx,
  ): Promise<ReadonlyMap<number, string>> {
    const viewer = viewerOf(caller);
    const ids = viewer.demo ? [] : [...new Set(userIds)].filter((id) => id !== null);
    const users = ids.length === 0 ? [] : await this.findByIds(caller.org.id, ids, tx);
    return new Map(users.map((user) => [user.id, displayName(user, viewer)]));
  }

  /** The users of the organisation with these ids; none of them can be removed until `tx` ends. */
  holdByIds(orgId: number, userIds: readonly number[], tx: Tx): Promise<User[]> {
    return this.users.lockMany(orgId, userIds, tx);
  }

  /** Ordered by id. */
  listAdministrators(orgId: number): Promise<User[]> {
    return this.users.administrators(orgId);
  }

  count(orgId: number, tx?: Tx): Promise<number> {
    return this.users.count(orgId, tx);
  }

  /** The record of one user, in the form that `viewer` may see. */
  async record(orgId: number, userId: number, viewer: Viewer): Promise<UserDto> {
    const [user, org] = await Promise.all([this.getById(orgId, userId), this.orgs.getById(orgId)]);
    return toUserDto(user, this.orgs.toDto(org), viewer);
  }

  /** @throws BadEmailError, WeakPasswordError, EmailTakenError */
  async create({ orgId, email, name = '', admin = false, password }: NewUser, tx?: Tx): Promise<User> {
    checkEmail(email);
    const problem = password === undefined ? undefined : this.passwords.problem(password, email);
    if (problem !== undefined) throw new WeakPasswordError(problem);
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    const state = passwordHash === null ? 'invited' : 'active';
    const id = await this.users.insert({ orgId, email, name, admin, state, passwordHash }, tx);
    return this.getById(orgId, id, tx);
  }

  /** The organisation of a user; null for unknown users and for users of a deleted organisation. */
  orgOf(userId: number, tx?: Tx): Promise<number | null> {
    return this.users.orgOf(userId, tx);
  }

  /**
   * Null if no password was set.
   * @throws UserNotFoundError
   */
  async passwordHash(orgId: number, userId: number, tx?: Tx): Promise<string | null> {
    const hash = await this.users.passwordHash(orgId, userId, tx);
    if (hash === undefined) throw new UserNotFoundError(userId);
    return hash;
  }

  /**
   * Sets a new password; sessions and the state of the account stay as they are.
   * @param field the parameter that an error names
   * @throws UserNotFoundError, WeakPasswordError
   */
  async setPassword(orgId: number, userId: number, password: string, tx?: Tx, field?: string): Promise<void> {
    const { email } = await this.getById(orgId, userId, tx);
    const problem = this.passwords.problem(password, email ?? '');
    if (problem !== undefined) throw new WeakPasswordError(problem, field);
    const passwordHash = await this.passwords.hash(password);
    await this.change(orgId, userId, { passwordHash }, tx);
  }

  /**
   * Call it with the organisation locked, before a user is added.
   * @throws UserLimitReachedError
   */
  async requireRoom(orgId: number, tx: Tx): Promise<void> {
    if ((await this.count(orgId, tx)) >= MAX_PER_ORG) throw new UserLimitReachedError(MAX_PER_ORG);
  }

  /**
   * Transfers the account to the confirmed owner of its address: the previous password becomes invalid.
   * @throws UserNotFoundError
   */
  async handOver(orgId: number, userId: number, tx?: Tx): Promise<void> {
    await this.change(orgId, userId, { passwordHash: null, emailUnproven: false }, tx);
  }

  /**
   * An invited user becomes an active one; a disabled one stays disabled. Returns true if anything changed.
   * @throws UserNotFoundError
   */
  async activate(orgId: number, userId: number, tx?: Tx): Promise<boolean> {
    const { state } = await this.getById(orgId, userId, tx);
    if (state !== 'invited') return false;
    await this.change(orgId, userId, { state: 'active' }, tx);
    return true;
  }

  /**
   * @throws UserNotFoundError, BadEmailError, EmailTakenError
   */
  async update(orgId: number, userId: number, fields: UserFields, tx?: Tx): Promise<User> {
    if (fields.email != null) checkEmail(fields.email);
    await this.change(orgId, userId, fields, tx);
    return this.getById(orgId, userId, tx);
  }

  /**
   * Sets flags of the guided start; flags that are already set stay set.
   * @throws UserNotFoundError
   */
  async setFlags(orgId: number, userId: number, flags: User['onboardingFlags'], tx?: Tx): Promise<void> {
    if (!(await this.users.setFlags(orgId, userId, { set: flags }, tx))) throw new UserNotFoundError(userId);
  }

  /**
   * Clears flags.
   * @throws UserNotFoundError
   */
  async clearFlags(orgId: number, userId: number, flags: readonly OwnFlag[], tx?: Tx): Promise<void> {
    if (!(await this.users.setFlags(orgId, userId, { set: {}, clear: flags }, tx))) throw new UserNotFoundError(userId);
  }

  /** Users in one of the states, ordered by id, and their total number. */
  list(orgId: number, states: readonly UserState[], page: Page): Promise<[User[], number]> {
    return this.users.list(orgId, states, page);
  }

  /** Ids of the users who can currently administer the organisation: active, and not visitors. */
  activeAdministrators(orgId: number, tx?: Tx): Promise<number[]> {
    return this.users.activeAdministrators(orgId, tx);
  }

  /** For an organisation that is being erased: disables its users and frees their addresses for other accounts. */
  disableAll(orgId: number, tx: Tx): Promise<void> {
    return this.users.disableAll(orgId, tx);
  }

  /**
   * Removes a user with sessions, known clients and entries in lists of recipients; objects that the user created stay.
   * @throws UserNotFoundError
   */
  async remove(orgId: number, userId: number, tx?: Tx): Promise<void> {
    if (!(await this.users.delete(orgId, userId, tx))) throw new UserNotFoundError(userId);
  }

  /** The account of an address, in any organisation. */
  findLogin(email: string, tx?: Tx): Promise<LoginAccount | null> {
    return this.users.findLogin(email, tx);
  }

  noteLogin(orgId: number, userId: number, tx?: Tx): Promise<void> {
    return this.users.setLastLogin(orgId, userId, new Date(this.clock.now() * 1000), tx);
  }

  private async change(
    orgId: number,
    userId: number,
    fields: UserFields & { passwordHash?: string | null },
    tx?: Tx,
  ): Promise<void> {
    if (!(await this.users.update(orgId, userId, fields, tx))) throw new UserNotFoundError(userId);
  }
}

function checkEmail(email: string): void {
  if (!isPlainEmail(email) || email.length > MAX_EMAIL_LENGTH) throw new BadEmailError(email);
}
