import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Raw, type Repository } from 'typeorm';
import { sqlState, type Tx } from '../common/database/transactions.js';
import { UserEntity } from './user.entity.js';
import { EmailTakenError } from './user.errors.js';
import { type LoginAccount, type UserState } from './user.types.js';

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

  administrators(orgId: number, tx?: Tx): Promise<UserEntity[]> {
    return this.in(tx).find({ where: { orgId, admin: true }, order: { id: 'ASC' } });
  }

  count(orgId: number, tx?: Tx): Promise<number> {
    return this.in(tx).countBy({ orgId });
  }

  /** The account of an address in any organisation: who logs in has not said where. */
  async findLogin(email: string, tx?: Tx): Promise<LoginAccount | null> {
    const user = await this.in(tx).findOne({
      select: { id: true, orgId: true, passwordHash: true, state: true },
      where: { email: Raw((column) => `lower(${column}) = lower(:email)`, { email }) },
    });
    if (user?.orgId == null) return null;
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
}
