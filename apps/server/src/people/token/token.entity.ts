import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A credential of an organisation for programs. */
@Entity('token')
@Index('token_hash_uq', ['hash'], { unique: true })
@Index('token_org_idx', ['orgId'])
@Index('token_created_user_idx', ['createdUserId'])
export class TokenEntity {
  /** Harmless handle: identifies the token without revealing it. */
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'token_pk' })
  ref!: number;

  @Column('integer', { name: 'org_id' })
  @ForeignKey('org', { name: 'token_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** Keyed hash, for lookups. */
  @Column('bytea', { name: 'hash' })
  hash!: Buffer;

  /** Encrypted copy, for display to administrators. */
  @Column('text', { name: 'sealed' })
  sealed!: string;

  @Column('text', { name: 'name' })
  name!: string;

  /** Permission bits. */
  @Column('smallint', { name: 'permissions' })
  permissions!: number;

  /** Null = no expiry. */
  @Column('timestamptz', { name: 'valid_until', nullable: true })
  validUntil!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('integer', { name: 'created_user_id', nullable: true })
  @ForeignKey('user_account', { name: 'token_created_user_fk', onDelete: 'SET NULL' })
  createdUserId!: number | null;

  /** Written in batches: up to a minute behind. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}
