import { Injectable } from '@nestjs/common';
import { In, Raw, type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { sqlState, type Tx } from '../../common/database/transactions.js';
import { type Page } from '../../common/paging/paging.js';
import { isSameEmail } from './user.functions.js';
import { UserEntity } from './user.entity.js';
import { EmailTakenError } from './user.errors.js';
import { type LoginAccount, type User, type UserFields, type UserState } from './user.types.js';

const UNIQUE_VIOLATION = '23505';

@Injectable()
export class UserRepository {
  constructor(@InjectRepository(UserEntity) private readonly rows: Repository<UserEntity>) {}

  private in(tx?: Tx): Repository<UserEntity> {
    return tx ? tx.getRepository(UserEntity) : this.rows;
  }

  find(orgId: number, userId: number, tx?: Tx): Promise<UserEntity | null> {
    return this.in(tx).findOneBy({ id: userId, orgId });
  }

  /** The users of the organisation with these ids, ordered by id. */
  findMany(orgId: number, userIds: readonly number[], tx?: Tx): Promise<UserEntity[]> {
    return this.in(tx).find({ where: { id: In(userIds), orgId }, order: { id: 'ASC' } });
  }

  /** Users of the organisation with one of the addresses, ignoring case. */
  findByEmails(orgId: number, emails: readonly string[], tx?: Tx): Promise<UserEntity[]> {
    const email = Raw((column) => `lower(${column}) IN (SELECT lower(one) FROM unnest(:emails::text[]) one)`, {
      emails,
    });
    return this.in(tx).find({ where: { orgId, email }, order: { id: 'ASC' } });
  }

  /** The users with these ids; none of them can be deleted until the transaction ends. */
  lockMany(orgId: number, userIds: readonly number[], tx: Tx): Promise<UserEntity[]> {
    return this.in(tx).find({
      where: { id: In(userIds), orgId },
      order: { id: 'ASC' },
      lock: { mode: 'for_key_share' },
    });
  }

  administrators(orgId: number, tx?: Tx): Promise<UserEntity[]> {
    return this.in(tx).find({ where: { orgId, admin: true }, order: { id: 'ASC' } });
  }

  count(orgId: number, tx?: Tx): Promise<number> {
    return this.in(tx).countBy({ orgId });
  }

  /** Users in one of the states, ordered by id, and their total number. */
  list(orgId: number, states: readonly UserState[], { limit, offset }: Page): Promise<[UserEntity[], number]> {
    return this.rows.findAndCount({
      where: { orgId, state: In(states) },
      order: { id: 'ASC' },
      take: limit,
      skip: offset,
    });
  }

  /** Ids of the users who can currently administer the organisation. */
  async activeAdministrators(orgId: number, tx?: Tx): Promise<number[]> {
    const rows = await this.in(tx).find({
      select: { id: true },
      where: { orgId, admin: true, demo: false, state: 'active' },
    });
    return rows.map(({ id }) => id);
  }

  /** The organisation of a user, for the following queries: a link in a mail identifies only the user. */
  async orgOf(userId: number, tx?: Tx): Promise<number | null> {
    const rows: { orgId: number }[] = await this.in(tx).query(
      `SELECT o.id AS "orgId" FROM user_account u JOIN org o ON o.id = u.org_id AND o.deleted_at IS NULL
        WHERE u.id = $1`,
      [userId],
    );
    return rows[0]?.orgId ?? null;
  }

  /** Undefined if the user does not exist, null if no password was set. */
  async passwordHash(orgId: number, userId: number, tx?: Tx): Promise<string | null | undefined> {
    const user = await this.in(tx).findOne({ select: { id: true, passwordHash: true }, where: { id: userId, orgId } });
    return user?.passwordHash;
  }

  /** The account of an address in any organisation: a login does not name an organisation. */
  async findLogin(email: string, tx?: Tx): Promise<LoginAccount | null> {
    const user = await this.in(tx).findOne({
      select: { id: true, orgId: true, email: true, passwordHash: true, state: true },
      where: { email: Raw((column) => `lower(${column}) = lower(:email)`, { email }) },
    });
    // Databases differ in the case of rare letters (İ is i to some): code that counts by address would treat those as
    // different addresses.
    if (user?.orgId == null || !isSameEmail(email, user.email)) return null;
    return { userId: user.id, orgId: user.orgId, passwordHash: user.passwordHash, state: user.state };
  }

  async insert(
    user: {
      orgId: number;
      email: string;
      name: string;
      admin: boolean;
      state: UserState;
      passwordHash: string | null;
    },
    tx?: Tx,
  ): Promise<number> {
    try {
      const { identifiers } = await this.in(tx).insert(user);
      return (identifiers[0] as { id: number }).id;
    } catch (error) {
      // Only the address can violate a unique constraint.
      if (sqlState(error) === UNIQUE_VIOLATION) throw new EmailTakenError();
      throw error;
    }
  }

  async setLastLogin(orgId: number, userId: number, at: Date, tx?: Tx): Promise<void> {
    await this.in(tx).update({ id: userId, orgId }, { lastLoginAt: at });
  }

  /**
   * Returns true if the user exists.
   * @throws EmailTakenError
   */
  async update(
    orgId: number,
    userId: number,
    fields: UserFields & { passwordHash?: string | null },
    tx?: Tx,
  ): Promise<boolean> {
    if (Object.keys(fields).length === 0) return (await this.find(orgId, userId, tx)) !== null;
    try {
      const { affected } = await this.in(tx).update({ id: userId, orgId }, fields);
      return affected === 1;
    } catch (error) {
      if (sqlState(error) === UNIQUE_VIOLATION) throw new EmailTakenError();
      throw error;
    }
  }

  /** Sets some flags and clears others. Returns true if the user exists. */
  async setFlags(
    orgId: number,
    userId: number,
    flags: { set: User['onboardingFlags']; clear?: readonly string[] },
    tx?: Tx,
  ): Promise<boolean> {
    const [, count] = await (tx ?? this.rows.manager).query<[unknown[], number]>(
      `UPDATE user_account SET onboarding_flags = (onboarding_flags || $3::jsonb) - $4::text[]
        WHERE org_id = $1 AND id = $2`,
      [orgId, userId, JSON.stringify(flags.set), flags.clear ?? []],
    );
    return count === 1;
  }

  /** Disables all users of the organisation, and frees their addresses for other accounts. */
  async disableAll(orgId: number, tx: Tx): Promise<void> {
    await this.in(tx).update({ orgId }, { state: 'disabled', email: null, passwordHash: null });
  }

  /** Returns true if the user existed. Rows that refer to the user are deleted too, or lose their creator. */
  async delete(orgId: number, userId: number, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).delete({ id: userId, orgId });
    return affected === 1;
  }
}
