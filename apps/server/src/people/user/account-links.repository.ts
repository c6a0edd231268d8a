import { Injectable } from '@nestjs/common';
import { In, IsNull, type Repository } from 'typeorm';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { AccountLinkEntity } from './account-link.entity.js';
import { type LinkPurpose } from './account-links.types.js';

export interface FoundLink {
  tokenHash: Buffer;
  userId: number;
  purpose: LinkPurpose;
  payloadSealed: string | null;
}

/** Links of users, keyed by hashes. The link determines the user and the organisation, so no organisation is passed. */
@Injectable()
export class AccountLinksRepository {
  constructor(@InjectRepository(AccountLinkEntity) private readonly rows: Repository<AccountLinkEntity>) {}

  private in(tx?: Tx): Repository<AccountLinkEntity> {
    return tx ? tx.getRepository(AccountLinkEntity) : this.rows;
  }

  async insert(link: Omit<AccountLinkEntity, 'usedAt' | 'tries'>, tx?: Tx): Promise<void> {
    await this.in(tx).insert(link);
  }

  /** Consumes a link, if it is valid. One statement, whatever the result. */
  async consume(
    tokenHashes: readonly Buffer[],
    purposes: readonly LinkPurpose[],
    at: Date,
    tx?: Tx,
  ): Promise<FoundLink | 'expired' | 'unknown'> {
    const rows: (FoundLink & { isTaken: boolean })[] = await this.in(tx).query(
      `WITH taken AS (
         UPDATE account_link SET used_at = $3
          WHERE token_hash = ANY($1) AND purpose = ANY($2) AND used_at IS NULL AND expires_at > $3
         RETURNING token_hash)
       SELECT l.token_hash AS "tokenHash", l.user_id AS "userId", l.purpose, l.payload_sealed AS "payloadSealed",
              EXISTS (SELECT FROM taken) AS "isTaken"
         FROM account_link l WHERE l.token_hash = ANY($1) AND l.purpose = ANY($2)`,
      [tokenHashes, purposes, at],
    );
    const [row] = rows;
    if (!row) return 'unknown';
    return row.isTaken ? row : 'expired';
  }

  /** Counts an attempt to enter a code, for a link that is valid and has fewer than `maxTries`. */
  async countTry(
    by: { tokenHashes: readonly Buffer[] } | { userId: number },
    purpose: LinkPurpose,
    maxTries: number,
    at: Date,
  ): Promise<FoundLink | 'expired' | 'unknown'> {
    const [column, values] = 'userId' in by ? ['user_id', [by.userId]] : ['token_hash', by.tokenHashes];
    const rows: (FoundLink & { isCounted: boolean })[] = await this.rows.query(
      `WITH counted AS (
         UPDATE account_link SET tries = tries + 1
          WHERE ${column} = ANY($1) AND purpose = $2 AND used_at IS NULL AND expires_at > $4 AND tries < $3
         RETURNING token_hash)
       SELECT l.token_hash AS "tokenHash", l.user_id AS "userId", l.purpose, l.payload_sealed AS "payloadSealed",
              l.token_hash IN (SELECT token_hash FROM counted) AS "isCounted"
         FROM account_link l WHERE l.${column} = ANY($1) AND l.purpose = $2
        ORDER BY "isCounted" DESC LIMIT 1`,
      [values, purpose, maxTries, at],
    );
    const [row] = rows;
    if (!row) return 'unknown';
    return row.isCounted ? row : 'expired';
  }

  async holderOf(tokenHashes: readonly Buffer[], purpose: LinkPurpose): Promise<number | null> {
    const link = await this.rows.findOne({ select: { userId: true }, where: { tokenHash: In(tokenHashes), purpose } });
    return link?.userId ?? null;
  }

  /** Invalidates the unused links of a user: of one purpose, or of all. */
  async revoke(userId: number, purpose: LinkPurpose | undefined, at: Date, tx?: Tx): Promise<void> {
    const narrowed = purpose === undefined ? {} : { purpose };
    await this.in(tx).update({ userId, usedAt: IsNull(), ...narrowed }, { usedAt: at });
  }

  /** Deletes the links that ended before `before`. */
  async forgetExpired(before: Date): Promise<void> {
    await this.rows.query('DELETE FROM account_link WHERE expires_at < $1', [before]);
  }
}
