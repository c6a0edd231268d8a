import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { Clock } from '../common/clock.js';
import { type Tx } from '../common/database/transactions.js';
import { OrgService } from '../org/org.service.js';
import { PasswordService } from './password.service.js';
import { BadEmailError, UserNotFoundError, WeakPasswordError } from './user.errors.js';
import { UserRepository } from './user.repository.js';
import { type LoginAccount, type NewUser, toUserDto, type User, type UserDto, type Viewer } from './user.types.js';

const MAX_EMAIL_LENGTH = 254;

@Injectable()
export class UserService {
  constructor(
    private readonly users: UserRepository,
    private readonly orgs: OrgService,
    private readonly passwords: PasswordService,
    private readonly clock: Clock,
  ) {}

  async byId(orgId: number, userId: number, tx?: Tx): Promise<User> {
    const user = await this.users.find(orgId, userId, tx);
    if (!user) throw new UserNotFoundError(userId);
    return user;
  }

  /** Those of the ids that are users of the organisation, by id. */
  byIds(orgId: number, userIds: readonly number[]): Promise<User[]> {
    return this.users.findMany(orgId, userIds);
  }

  /** By id. */
  administrators(orgId: number): Promise<User[]> {
    return this.users.administrators(orgId);
  }

  count(orgId: number): Promise<number> {
    return this.users.count(orgId);
  }

  /** The record of one user, as `viewer` may see it. */
  async record(orgId: number, userId: number, viewer: Viewer): Promise<UserDto> {
    const [user, org] = await Promise.all([this.byId(orgId, userId), this.orgs.byId(orgId)]);
    return toUserDto(user, this.orgs.toDto(org), viewer);
  }

  /** @throws BadEmailError, WeakPasswordError, EmailTakenError */
  async create({ orgId, email, name = '', admin = false, password }: NewUser, tx?: Tx): Promise<User> {
    if (!isEmail(email) || email.length > MAX_EMAIL_LENGTH) throw new BadEmailError(email);
    const problem = password === undefined ? undefined : this.passwords.problem(password, email);
    if (problem !== undefined) throw new WeakPasswordError(problem);
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    const state = passwordHash === null ? 'invited' : 'active';
    const id = await this.users.insert({ orgId, email, name, admin, state, passwordHash }, tx);
    return this.byId(orgId, id, tx);
  }

  /** The account that an address logs in to, of any organisation. */
  findLogin(email: string): Promise<LoginAccount | null> {
    return this.users.findLogin(email);
  }

  noteLogin(orgId: number, userId: number, tx?: Tx): Promise<void> {
    return this.users.setLastLogin(orgId, userId, new Date(this.clock.now() * 1000), tx);
  }
}
