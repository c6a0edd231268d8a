import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/**
 * A login. `pending` awaits its code and gives no access. The row is stored for some days after the session, so that
 * callers learn that it has ended.
 */
@Entity('session')
@Index('session_user_idx', ['userId'])
@Index('session_ended_idx', ['endedAt'])
@Index('session_last_seen_idx', ['lastSeenAt'])
export class SessionEntity {
  /** Keyed hash of the session id; the id itself is not stored. */
  @PrimaryColumn('bytea', { name: 'id_hash', primaryKeyConstraintName: 'session_pk' })
  idHash!: Buffer;

  @Column('integer', { name: 'user_id' })
  @ForeignKey('user_account', { name: 'session_user_fk', onDelete: 'CASCADE' })
  userId!: number;

  @Column('text', { name: 'kind' })
  kind!: 'full' | 'pending';

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Written in batches: some seconds behind. */
  @Column('timestamptz', { name: 'last_seen_at' })
  lastSeenAt!: Date;

  /** Network address at its start, shown to its user. */
  @Column('text', { name: 'address', nullable: true })
  address!: string | null;

  /** The User-Agent of the client at its start, shortened. */
  @Column('text', { name: 'client', nullable: true })
  client!: string | null;

  /** Time at which the cookie was last sent to the browser; its Max-Age counts from then. */
  @Column('timestamptz', { name: 'cookie_renewed_at' })
  cookieRenewedAt!: Date;

  /** Final expiry, which no use extends. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Set by a logout, by a newer session that replaces it, and by changes that end all sessions of a user. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;
}

/** A browser or program from which a user has logged in: it needs no code for a while. */
@Entity('known_client')
@Index('known_client_user_idx', ['userId'])
@Index('known_client_expires_idx', ['expiresAt'])
export class KnownClientEntity {
  /** Keyed hash of the client id. */
  @PrimaryColumn('bytea', { name: 'client_hash', primaryKeyConstraintName: 'known_client_pk' })
  clientHash!: Buffer;

  @Column('integer', { name: 'user_id' })
  @ForeignKey('user_account', { name: 'known_client_user_fk', onDelete: 'CASCADE' })
  userId!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
