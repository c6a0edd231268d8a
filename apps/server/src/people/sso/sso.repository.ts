import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { type SsoIdentity } from './sso.types.js';

export interface SsoLoginRow {
  stateHash: Buffer;
  browserHash: Buffer;
  sealed: string;
  /** Unix seconds. */
  expiresAt: number;
}

@Injectable()
export class SsoRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a login that starts. Its user is not known yet. */
  async insertLogin(login: SsoLoginRow): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO sso_login (state_hash, browser_hash, sealed, expires_at) VALUES ($1, $2, $3, to_timestamp($4))`,
      [login.stateHash, login.browserHash, login.sealed, login.expiresAt],
    );
  }

  /**
   * Claims a login: it can be used once, by the browser that started it. The hashes are the possible stored forms of
   * the two secrets. Null: there is no such login, or it has expired.
   */
  async takeLogin(
    stateHashes: readonly Buffer[],
    browserHashes: readonly Buffer[],
    now: number,
  ): Promise<Pick<SsoLoginRow, 'stateHash' | 'sealed'> | null> {
    const [rows]: [Pick<SsoLoginRow, 'stateHash' | 'sealed'>[], number] = await this.dataSource.query(
      `DELETE FROM sso_login
       WHERE state_hash = ANY($1::bytea[]) AND browser_hash = ANY($2::bytea[]) AND expires_at > to_timestamp($3)
       RETURNING state_hash AS "stateHash", sealed`,
      [stateHashes, browserHashes, now],
    );
    return rows[0] ?? null;
  }

  /** Deletes logins that did not return from the provider. `now` in Unix seconds. */
  @Housekeeping({ everyMs: 600_000, failure: 'Unfinished logins could not be erased', role: 'api' })
  async forgetExpiredLogins(now: number): Promise<void> {
    await this.dataSource.query(`DELETE FROM sso_login WHERE expires_at <= to_timestamp($1)`, [now]);
  }

  /** The user of an identity, in any organisation. */
  async findIdentity(issuer: string, subject: string, tx: Tx): Promise<{ orgId: number; userId: number } | null> {
    const rows: { orgId: number; userId: number }[] = await tx.query(
      `SELECT org_id AS "orgId", user_id AS "userId" FROM sso_identity WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
    return rows[0] ?? null;
  }

  async insertIdentity(orgId: number, userId: number, { issuer, subject }: SsoIdentity, tx: Tx): Promise<void> {
    await tx.query(`INSERT INTO sso_identity (issuer, subject, org_id, user_id) VALUES ($1, $2, $3, $4)`, [
      issuer,
      subject,
      orgId,
      userId,
    ]);
  }
}
