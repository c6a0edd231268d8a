import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type OnboardingStatusId } from '#libs/contracts';
import { type RecipientList } from './org.types.js';

/** An organisation: the owner of everything else. Deleting the row deletes all that belongs to it. */
@Entity('org')
@Index('org_leaving_idx', ['id'], { where: '"deleted_at" IS NOT NULL OR "wipe_at" IS NOT NULL' })
export class OrgEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'org_pk' })
  id!: number;

  @Column('text', { name: 'name' })
  name!: string;

  /** IANA name. */
  @Column('text', { name: 'timezone', default: 'UTC' })
  timezone!: string;

  /** Never decreases. */
  @Column('smallint', { name: 'onboarding_status_id', default: 1 })
  onboardingStatusId!: OnboardingStatusId;

  /** Holds live synthetic series; its visitors are demo users. */
  @Column('boolean', { name: 'is_demo', default: false })
  isDemo!: boolean;

  @Column('timestamptz', { name: 'alerts_muted_until', nullable: true })
  alertsMutedUntil!: Date | null;

  /** Sealed; null while chat is not connected. */
  @Column('text', { name: 'chat_api_token_sealed', nullable: true })
  chatApiTokenSealed!: string | null;

  @Column('text', { name: 'default_chat_channel', default: '' })
  defaultChatChannel!: string;

  /** Sealed; null while Teams is not connected. */
  @Column('text', { name: 'teams_chat_webhook_sealed', nullable: true })
  teamsChatWebhookSealed!: string | null;

  @Column('integer', { name: 'retention_1_resolution_seconds', default: 60 })
  retention1ResolutionSeconds!: number;

  @Column('integer', { name: 'retention_1_period_seconds', default: 604_800 })
  retention1PeriodSeconds!: number;

  @Column('integer', { name: 'retention_2_resolution_seconds', default: 600 })
  retention2ResolutionSeconds!: number;

  @Column('integer', { name: 'retention_2_period_seconds', default: 63_072_000 })
  retention2PeriodSeconds!: number;

  @Column('integer', { name: 'default_data_frequency_seconds', default: 60 })
  defaultDataFrequencySeconds!: number;

  @Column('integer', { name: 'default_analysis_period_1_seconds', default: 86_400 })
  defaultAnalysisPeriod1Seconds!: number;

  @Column('integer', { name: 'default_analysis_period_2_seconds', default: 604_800 })
  defaultAnalysisPeriod2Seconds!: number;

  @Column('integer', { name: 'long_term_pattern_length_seconds', default: 2_592_000 })
  longTermPatternLengthSeconds!: number;

  /** Maximum number of metrics that count against the quota; null = no limit. */
  @Column('integer', { name: 'metric_limit', nullable: true })
  metricLimit!: number | null;

  /** Time at which all metrics stopped sending; null while data arrives. */
  @Column('timestamptz', { name: 'data_stopped_at', nullable: true })
  dataStoppedAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** Time at which it was deleted for all users; the row is deleted after all its data is erased. Null: it exists. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;

  /** Time at which a trial organisation is deleted automatically; null = never. */
  @Column('timestamptz', { name: 'wipe_at', nullable: true })
  wipeAt!: Date | null;
}

/** Default recipients, one row per user and list. A deleted user leaves all lists. */
@Entity('org_recipient')
@Index('org_recipient_user_idx', ['userId'])
export class OrgRecipientEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'org_recipient_pk' })
  @ForeignKey('org', { name: 'org_recipient_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  @PrimaryColumn('text', { name: 'list', primaryKeyConstraintName: 'org_recipient_pk' })
  list!: RecipientList;

  @PrimaryColumn('integer', { name: 'user_id', primaryKeyConstraintName: 'org_recipient_pk' })
  @ForeignKey('user_account', { name: 'org_recipient_user_fk', onDelete: 'CASCADE' })
  userId!: number;
}
