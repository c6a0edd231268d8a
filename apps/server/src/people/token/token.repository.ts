import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { type OnboardingStatusId } from '#libs/contracts';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { TokenEntity } from './token.entity.js';

/** A token with the data of its organisation that the edge needs. */
export interface TokenCredential {
  ref: number;
  permissions: number;
  validUntil: Date | null;
  orgId: number;
  timezone: string;
  onboardingStatusId: OnboardingStatusId;
}

@Injectable()
export class TokenRepository {
  constructor(@InjectRepository(TokenEntity) private readonly rows: Repository<TokenEntity>) {}

  private in(tx?: Tx): Repository<TokenEntity> {
    return tx ? tx.getRepository(TokenEntity) : this.rows;
  }

  /** The token with one of these hashes, unless deleted. It determines the organisation, so none is passed. */
  async findCredential(hashes: readonly Buffer[]): Promise<TokenCredential | null> {
    const rows: TokenCredential[] = await this.rows.query(
      `SELECT t.ref, t.permissions, t.valid_until AS "validUntil",
              o.id AS "orgId", o.timezone, o.onboarding_status_id AS "onboardingStatusId"
         FROM token t
         JOIN org o ON o.id = t.org_id AND o.deleted_at IS NULL
        WHERE t.hash = ANY($1) AND t.deleted_at IS NULL`,
      [hashes],
    );
    return rows[0] ?? null;
  }

  async insert(token: Omit<TokenEntity, 'ref' | 'lastUsedAt' | 'deletedAt'>, tx?: Tx): Promise<TokenEntity> {
    const { identifiers } = await this.in(tx).insert(token);
    return { ...token, ref: (identifiers[0] as { ref: number }).ref, lastUsedAt: null, deletedAt: null };
  }

  /** Not deleted and not expired before `expiredSince`, newest last. */
  list(orgId: number, expiredSince: Date, tx?: Tx): Promise<TokenEntity[]> {
    return this.in(tx)
      .createQueryBuilder('token')
      .where('token.org_id = :orgId AND token.deleted_at IS NULL', { orgId })
      .andWhere('(token.valid_until IS NULL OR token.valid_until >= :expiredSince)', { expiredSince })
      .orderBy('token.ref', 'ASC')
      .getMany();
  }

  /** Includes deleted tokens. */
  findByRef(orgId: number, ref: number, tx?: Tx): Promise<TokenEntity | null> {
    return this.in(tx).findOneBy({ orgId, ref });
  }

  /** Includes deleted tokens. */
  findByHash(orgId: number, hashes: readonly Buffer[], tx?: Tx): Promise<TokenEntity | null> {
    return this.in(tx).findOneBy({ orgId, hash: In(hashes) });
  }

  async update(
    orgId: number,
    ref: number,
    fields: Pick<TokenEntity, 'name' | 'permissions' | 'validUntil'>,
    tx: Tx,
  ): Promise<void> {
    await this.in(tx).update({ orgId, ref, deletedAt: IsNull() }, fields);
  }

  /** Returns true if the token existed and was not deleted before. */
  async delete(orgId: number, ref: number, at: Date, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update({ orgId, ref, deletedAt: IsNull() }, { deletedAt: at });
    return affected === 1;
  }

  /** Moves the last use of tokens forward, never back. Times in Unix seconds. */
  async noteUse(uses: ReadonlyMap<number, number>): Promise<void> {
    await this.rows.query(
      `UPDATE token t SET last_used_at = GREATEST(t.last_used_at, to_timestamp(u.at))
         FROM unnest($1::integer[], $2::float8[]) AS u(ref, at)
        WHERE t.ref = u.ref`,
      [[...uses.keys()], [...uses.values()]],
    );
  }
}
