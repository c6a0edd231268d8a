import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx } from '../common/database/transactions.js';
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

  /** Keeps a login that begins. Nobody knows yet whose it is. */
  async insertLogin(login: SsoLoginRow): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO sso_login (state_hash, browser_hash, sealed, expires_at) VALUES ($1, $2, $3, to_timestamp($4))`,
      [login.stateHash, login.browserHash, login.sealed, login.expiresAt],
    );
  }

  /** Takes a login out: it can be used once, by the browser that began it. Null: there is none, or it is over. */
  async takeLogin(stateHash: Buffer, browserHash: Buffer, now: number): Promise<string | null> {
    const [rows]: [{ sealed: string }[], number] = await this.dataSource.query(
      `DELETE FROM sso_login WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > to_timestamp($3)
       RETURNING sealed`,
      [stateHash, browserHash, now],
    );
    return rows[0]?.sealed ?? null;
  }

  async forgetExpiredLogins(now: number): Promise<void> {
    await this.dataSource.query(`DELETE FROM sso_login WHERE expires_at <= to_timestamp($1)`, [now]);
  }

  /** Who somebody is, of any organisation. */
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
