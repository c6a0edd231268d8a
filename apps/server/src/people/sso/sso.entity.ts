import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The user of an identity at the provider. */
@Entity('sso_identity')
@Index('sso_identity_user_idx', ['userId'])
@Index('sso_identity_org_idx', ['orgId'])
export class SsoIdentityEntity {
  @PrimaryColumn('text', { name: 'issuer', primaryKeyConstraintName: 'sso_identity_pk' })
  issuer!: string;

  @PrimaryColumn('text', { name: 'subject', primaryKeyConstraintName: 'sso_identity_pk' })
  subject!: string;

  @ForeignKey('org', { name: 'sso_identity_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @ForeignKey('user_account', { name: 'sso_identity_user_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'user_id' })
  userId!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

/** A login that was sent to the provider and has not returned; stored for at most ten minutes. */
@Entity('sso_login')
@Index('sso_login_expires_idx', ['expiresAt'])
export class SsoLoginEntity {
  @PrimaryColumn('bytea', { name: 'state_hash', primaryKeyConstraintName: 'sso_login_pk' })
  stateHash!: Buffer;

  /** Hash of the cookie of the browser that started it. */
  @Column('bytea', { name: 'browser_hash' })
  browserHash!: Buffer;

  /** Nonce, PKCE verifier and the page to open afterwards, as JSON. */
  @Column('text', { name: 'sealed' })
  sealed!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
