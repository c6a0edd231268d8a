import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A login that has been sent to the provider and not come back; ten minutes at most. */
@Entity('sso_login')
@Index('sso_login_expires_idx', ['expiresAt'])
export class SsoLoginEntity {
  @PrimaryColumn('bytea', { name: 'state_hash', primaryKeyConstraintName: 'sso_login_pk' })
  stateHash!: Buffer;

  /** Of the cookie of the browser that began it. */
  @Column('bytea', { name: 'browser_hash' })
  browserHash!: Buffer;

  /** Nonce, PKCE verifier and where to go afterwards, as JSON. */
  @Column('text', { name: 'sealed' })
  sealed!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
