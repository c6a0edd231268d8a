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

  /** Those of the ids that are users of the organisation, by id. */
  findMany(orgId: number, userIds: readonly number[], tx?: Tx): Promise<UserEntity[]> {
    return this.in(tx).find({ where: { id: In(userIds), orgId }, order: { id: 'ASC' } });
  }

  /** Users of the organisation with one of the addresses, in any case. */
  findByEmails(orgId: number, emails: readonly string[], tx?: Tx): Promise<UserEntity[]> {
    const email = Raw((column) => `lower(${column}) IN (SELECT lower(one) FROM unnest(:emails::text[]) one)`, {
      emails,
    });
    return this.in(tx).find({ where: { orgId, email }, order: { id: 'ASC' } });
  }

  /** Those of the ids; none of them can be deleted until the transaction ends. */
  holdMany(orgId: number, userIds: readonly number[], tx: Tx): Promise<UserEntity[]> {
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

  /** Those in one of the states, by id, and how many there are. */
  list(orgId: number, states: readonly UserState[], { limit, offset }: Page): Promise<[UserEntity[], number]> {
    return this.rows.findAndCount({
      where: { orgId, state: In(states) },
      order: { id: 'ASC' },
      take: limit,
      skip: offset,
    });
  }

  /** Ids of those who can administer the organisation at this moment. */
  async activeAdministrators(orgId: number, tx?: Tx): Promise<number[]> {
    const rows = await this.in(tx).find({
      select: { id: true },
      where: { orgId, admin: true, demo: false, state: 'active' },
    });
    return rows.map(({ id }) => id);
  }

  /** The organisation of a user, by which the rest is asked for: a link in a mail leads to the user alone. */
  async orgOf(userId: number, tx?: Tx): Promise<number | null> {
    const rows: { orgId: number }[] = await this.in(tx).query(
      `SELECT o.id AS "orgId" FROM user_account u JOIN org o ON o.id = u.org_id AND o.deleted_at IS NULL
        WHERE u.id = $1`,
      [userId],
    );
    return rows[0]?.orgId ?? null;
  }

  /** Undefined if there is no such user, null if no password was set. */
  async passwordHash(orgId: number, userId: number, tx?: Tx): Promise<string | null | undefined> {
    const user = await this.in(tx).findOne({ select: { id: true, passwordHash: true }, where: { id: userId, orgId } });
    return user?.passwordHash;
  }

  /** The account of an address in any organisation: a login does not name one. */
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
      // The address is the only thing that can collide.
      if (sqlState(error) === UNIQUE_VIOLATION) throw new EmailTakenError();
      throw error;
    }
  }

  async setLastLogin(orgId: number, userId: number, at: Date, tx?: Tx): Promise<void> {
    await this.in(tx).update({ id: userId, orgId }, { lastLoginAt: at });
  }

  /**
   * Answers whether there is such a user.
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

  /** Sets some flags and clears others. Answers whether there is such a user. */
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

  /** Users of the organisation can no longer log in, and their addresses are free for other accounts. */
  async disableAll(orgId: number, tx: Tx): Promise<void> {
    await this.in(tx).update({ orgId }, { state: 'disabled', email: null, passwordHash: null });
  }

  /** Answers whether there was such a user. Rows that refer to the user are deleted too, or lose their creator. */
  async delete(orgId: number, userId: number, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).delete({ id: userId, orgId });
    return affected === 1;
  }
}
