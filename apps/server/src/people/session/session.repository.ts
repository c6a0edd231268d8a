import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan, Not, type Repository } from 'typeorm';
import { type OnboardingStatusId } from '#libs/contracts';
import { InjectRepository } from '../../common/database/inject-repository.decorator.js';
import { type Tx } from '../../common/database/transactions.js';
import { type User, type UserState } from '../user/user.types.js';
import { KnownClientEntity, SessionEntity } from './session.entity.js';

/** A session with the data of its user and organisation that the edge needs. */
export interface SessionRow {
  idHash: Buffer;
  kind: 'full' | 'pending';
  lastSeenAt: Date;
  cookieRenewedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  userId: number;
  admin: boolean;
  demo: boolean;
  state: UserState;
  onboardingFlags: User['onboardingFlags'];
  orgId: number;
  timezone: string;
  onboardingStatusId: OnboardingStatusId;
}

/** A session in the form that its user may see. */
export type OwnedSession = Omit<SessionEntity, 'userId' | 'kind' | 'cookieRenewedAt'>;

/** Sessions and known clients, keyed by hashes. The credential determines the organisation, so none is passed. */
@Injectable()
export class SessionRepository {
  constructor(
    @InjectRepository(SessionEntity) private readonly rows: Repository<SessionEntity>,
    @InjectRepository(KnownClientEntity) private readonly clients: Repository<KnownClientEntity>,
  ) {}

  private in(tx?: Tx): Repository<SessionEntity> {
    return tx ? tx.getRepository(SessionEntity) : this.rows;
  }

  private clientsIn(tx?: Tx): Repository<KnownClientEntity> {
    return tx ? tx.getRepository(KnownClientEntity) : this.clients;
  }

  /** One query with the user and the organisation: it runs for every request that has a session. */
  async find(idHashes: readonly Buffer[]): Promise<SessionRow | null> {
    const rows: SessionRow[] = await this.rows.query(
      `SELECT s.id_hash AS "idHash", s.kind, s.last_seen_at AS "lastSeenAt", s.cookie_renewed_at AS "cookieRenewedAt",
              s.expires_at AS "expiresAt", s.ended_at AS "endedAt",
              u.id AS "userId", u.admin, u.demo,
              CASE WHEN o.deleted_at IS NULL THEN u.state ELSE 'disabled' END AS state, u.onboarding_flags AS "onboardingFlags",
              o.id AS "orgId", o.timezone, o.onboarding_status_id AS "onboardingStatusId"
         FROM session s
         JOIN user_account u ON u.id = s.user_id
         JOIN org o ON o.id = u.org_id
        WHERE s.id_hash = ANY($1)`,
      [idHashes],
    );
    return rows[0] ?? null;
  }

  async insert(session: Omit<SessionEntity, 'endedAt'>, tx?: Tx): Promise<void> {
    await this.in(tx).insert(session);
  }

  /** The sessions of a user, including ended ones; logins that await a code are omitted. */
  listOf(userId: number, tx?: Tx): Promise<OwnedSession[]> {
    return this.in(tx).find({ where: { userId, kind: 'full' } });
  }

  /** Returns true if a session was alive. */
  async end(idHashes: readonly Buffer[], at: Date, tx?: Tx): Promise<boolean> {
    const { affected } = await this.in(tx).update({ idHash: In(idHashes), endedAt: IsNull() }, { endedAt: at });
    return affected === 1;
  }

  /** Ends the logins of a user that await a code. */
  async endPendingOf(userId: number, at: Date, tx?: Tx): Promise<void> {
    await this.in(tx).update({ userId, kind: 'pending', endedAt: IsNull() }, { endedAt: at });
  }

  /** Ends all sessions of a user, or all but one. */
  async endAllOf(userId: number, at: Date, except: readonly Buffer[] = [], tx?: Tx): Promise<void> {
    const others = except.length === 0 ? {} : { idHash: Not(In(except)) };
    await this.in(tx).update({ userId, endedAt: IsNull(), ...others }, { endedAt: at });
  }

  /** Ends the least recently used sessions of a user beyond `keep`; `newest` stays regardless of its time. */
  async endBeyond(userId: number, keep: number, newest: Buffer, at: Date, tx?: Tx): Promise<void> {
    const manager = tx ?? this.rows.manager;
    await manager.query(
      `UPDATE session SET ended_at = $4
        WHERE id_hash IN (SELECT id_hash FROM session WHERE user_id = $1 AND kind = 'full' AND ended_at IS NULL
                          ORDER BY id_hash = $3 DESC, last_seen_at DESC OFFSET $2)`,
      [userId, keep, newest, at],
    );
  }

  /** Moves the last use of sessions forward, never back. Times in Unix seconds. */
  async noteUse(uses: readonly { idHash: Buffer; at: number }[]): Promise<void> {
    await this.rows.query(
      `UPDATE session s SET last_seen_at = GREATEST(s.last_seen_at, to_timestamp(u.at))
         FROM unnest($1::bytea[], $2::float8[]) AS u(id_hash, at)
        WHERE s.id_hash = u.id_hash`,
      [uses.map(({ idHash }) => idHash), uses.map(({ at }) => at)],
    );
  }

  async noteCookie(idHash: Buffer, at: Date): Promise<void> {
    await this.rows.update({ idHash }, { cookieRenewedAt: at });
  }

  /** Deletes sessions that ended before `endedBefore` or have not been used since `unusedSince`. */
  async forget(endedBefore: Date, unusedSince: Date): Promise<void> {
    await this.rows.query('DELETE FROM session WHERE ended_at < $1 OR expires_at < $1 OR last_seen_at < $2', [
      endedBefore,
      unusedSince,
    ]);
  }

  /** The user to whom a client is known; null if it has expired or is unknown. */
  async findClient(clientHashes: readonly Buffer[], at: Date, tx?: Tx): Promise<number | null> {
    const client = await this.clientsIn(tx).findOneBy({ clientHash: In(clientHashes), expiresAt: MoreThan(at) });
    return client?.userId ?? null;
  }

  /** Stores a client, or extends the expiry of a known one. */
  async rememberClient(client: KnownClientEntity, tx?: Tx): Promise<void> {
    await this.clientsIn(tx)
      .createQueryBuilder()
      .insert()
      .values(client)
      .orUpdate(['expires_at'], ['client_hash'])
      .execute();
  }

  /** Deletes the clients of a user beyond the `keep` last used; `newest` stays regardless of its time. */
  async forgetClientsBeyond(userId: number, keep: number, newest: Buffer, tx?: Tx): Promise<void> {
    const manager = tx ?? this.clients.manager;
    await manager.query(
      `DELETE FROM known_client
        WHERE client_hash IN (SELECT client_hash FROM known_client WHERE user_id = $1
                              ORDER BY client_hash = $3 DESC, expires_at DESC OFFSET $2)`,
      [userId, keep, newest],
    );
  }

  async forgetClientsOf(userId: number, tx?: Tx): Promise<void> {
    await this.clientsIn(tx).delete({ userId });
  }

  async forgetExpiredClients(before: Date): Promise<void> {
    await this.clients.query('DELETE FROM known_client WHERE expires_at < $1', [before]);
  }
}
