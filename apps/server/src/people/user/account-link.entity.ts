import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type LinkPurpose } from './account-links.types.js';

/**
 * A mailed link of a user, valid for one use. The row remains afterwards, to distinguish an old link from an invented
 * one.
 */
@Entity('account_link')
@Index('account_link_user_idx', ['userId', 'purpose'])
@Index('account_link_expires_idx', ['expiresAt'])
export class AccountLinkEntity {
  /** Keyed hash of the token; the token itself is stored nowhere. */
  @PrimaryColumn('bytea', { name: 'token_hash', primaryKeyConstraintName: 'account_link_pk' })
  tokenHash!: Buffer;

  @Column('integer', { name: 'user_id' })
  @ForeignKey('user_account', { name: 'account_link_user_fk', onDelete: 'CASCADE' })
  userId!: number;

  @Column('text', { name: 'purpose' })
  purpose!: LinkPurpose;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  /** Set by its use, and by events that invalidate it: a newer link, a revocation. */
  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  /** Number of codes that were tried with it. */
  @Column('smallint', { name: 'tries', default: 0 })
  tries!: number;

  /** Data of the link in addition to its user, sealed: a new address, a code. */
  @Column('text', { name: 'payload_sealed', nullable: true })
  payloadSealed!: string | null;
}
