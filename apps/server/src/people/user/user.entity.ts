import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type OnboardingExtraFlag, type OnboardingFlag } from '#libs/contracts';
import { type UserState } from './user.types.js';

/** A person, or the system itself: id 1, in no organisation, without address and password, never listed. */
@Entity('user_account')
@Index('user_account_org_idx', ['orgId'])
// Unique over lower(email), which the decorator cannot express; the migration creates it.
@Index('user_account_email_uq', { synchronize: false })
export class UserEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'user_account_pk' })
  id!: number;

  /** Null for the system user only. */
  @Column('integer', { name: 'org_id', nullable: true })
  @ForeignKey('org', { name: 'user_account_org_fk', onDelete: 'CASCADE' })
  orgId!: number | null;

  /** May be empty. */
  @Column('text', { name: 'name', default: '' })
  name!: string;

  /** As typed; compared and unique ignoring case. Null for the system user and visitors without address. */
  @Column('text', { name: 'email', nullable: true })
  email!: string | null;

  /** True if the user set the address without proof of ownership: no mail could be sent. */
  @Column('boolean', { name: 'email_unproven', default: false })
  emailUnproven!: boolean;

  /** argon2id in PHC format; null if no password was set. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column('boolean', { name: 'admin', default: false })
  admin!: boolean;

  @Column('boolean', { name: 'demo', default: false })
  demo!: boolean;

  @Column('text', { name: 'state' })
  state!: UserState;

  /** The flags that are set. */
  @Column('jsonb', { name: 'onboarding_flags', default: () => "'{}'" })
  onboardingFlags!: Partial<Record<OnboardingFlag | OnboardingExtraFlag, true>>;

  @Column('boolean', { name: 'email_alerts', default: false })
  emailAlerts!: boolean;

  /** E.164. */
  @Column('text', { name: 'phone_number', nullable: true })
  phoneNumber!: string | null;

  @Column('text', { name: 'chat_member_id', nullable: true })
  chatMemberId!: string | null;

  @Column('timestamptz', { name: 'last_login_at', nullable: true })
  lastLoginAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
