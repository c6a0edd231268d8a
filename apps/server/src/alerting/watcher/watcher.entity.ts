import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type ThresholdRule } from '#libs/alerting';
import { type AnomalyKind } from '#libs/contracts';
import { type ExpirationUnit, type WatcherList, type WatcherSettings, type WatcherType } from './watcher.types.js';

/** The alerts that an organisation wants, and how they are sent. A deleted watcher is kept for 30 days. */
@Entity('watcher')
@Index('watcher_summary_idx', ['nextSummaryAt'], {
  where: '"next_summary_at" IS NOT NULL AND "deleted_at" IS NULL',
})
@Index('watcher_deleted_idx', ['deletedAt'], { where: '"deleted_at" IS NOT NULL' })
// Unique over (org_id, lower(name)) among live ones, which the decorator cannot express; the migration creates it.
@Index('watcher_name_uq', { synchronize: false })
export class WatcherEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'watcher_pk' })
  id!: number;

  @Index('watcher_org_idx')
  @ForeignKey('org', { name: 'watcher_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'type' })
  type!: WatcherType;

  @Column('text', { name: 'name' })
  name!: string;

  /** As typed. */
  @Column('text', { name: 'chips', array: true })
  chips!: string[];

  /** False: a saved view. */
  @Column('boolean', { name: 'alert' })
  alert!: boolean;

  @Column('smallint', { name: 'min_severity' })
  minSeverity!: number;

  @Column('integer', { name: 'min_duration_seconds' })
  minDurationSeconds!: number;

  @Column('text', { name: 'direction' })
  direction!: WatcherSettings['direction'];

  /** Empty: all. */
  @Column('text', { name: 'kinds', array: true })
  kinds!: AnomalyKind[];

  @Column('text', { name: 'chat_channel', nullable: true })
  chatChannel!: string | null;

  /** Sealed: anyone with the address can write to the channel. */
  @Column('text', { name: 'teams_chat_webhook_sealed', nullable: true })
  teamsChatWebhookSealed!: string | null;

  @Column('boolean', { name: 'pagerduty' })
  pagerduty!: boolean;

  @Column('boolean', { name: 'alertmanager' })
  alertmanager!: boolean;

  @Column('boolean', { name: 'webhook' })
  webhook!: boolean;

  @Column('integer', { name: 'expiration_time' })
  expirationTime!: number;

  @Column('text', { name: 'expiration_time_unit' })
  expirationTimeUnit!: ExpirationUnit;

  @Column('integer', { name: 'expiration_seconds' })
  expirationSeconds!: number;

  /** As typed, such as `daily-10:00`. */
  @Column('text', { name: 'summary_report_frequency', nullable: true })
  summaryReportFrequency!: string | null;

  @Column('timestamptz', { name: 'next_summary_at', nullable: true })
  nextSummaryAt!: Date | null;

  /** Zone in which the next time was computed: if the organisation changes its zone, it is computed again. */
  @Column('text', { name: 'summary_timezone', nullable: true })
  summaryTimezone!: string | null;

  /** Set for watchers of thresholds. */
  @Column('jsonb', { name: 'threshold', nullable: true })
  threshold!: ThresholdRule | null;

  @Column('double precision', { name: 'alert_budget_per_week', nullable: true })
  alertBudgetPerWeek!: number | null;

  /** Minimum severity that the budget requires. */
  @Column('smallint', { name: 'severity_in_effect', default: 0 })
  severityInEffect!: number;

  /** Messages a week in the last four weeks. */
  @Column('double precision', { name: 'budget_achieved', nullable: true })
  budgetAchieved!: number | null;

  /** Created by the service for a new organisation. */
  @Column('boolean', { name: 'built_in', default: false })
  builtIn!: boolean;

  @Index('watcher_created_by_idx', { where: '"created_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'watcher_created_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'created_by', nullable: true })
  createdBy!: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'now()' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}

/** One row per watcher, list and user. A deleted user leaves all lists. */
@Entity('watcher_recipient')
@Index('watcher_recipient_user_idx', ['userId'])
@Index('watcher_recipient_org_idx', ['orgId'])
export class WatcherRecipientEntity {
  @PrimaryColumn('integer', { name: 'watcher_id', primaryKeyConstraintName: 'watcher_recipient_pk' })
  @ForeignKey('watcher', { name: 'watcher_recipient_watcher_fk', onDelete: 'CASCADE' })
  watcherId!: number;

  @PrimaryColumn('text', { name: 'list', primaryKeyConstraintName: 'watcher_recipient_pk' })
  list!: WatcherList;

  @PrimaryColumn('integer', { name: 'user_id', primaryKeyConstraintName: 'watcher_recipient_pk' })
  @ForeignKey('user_account', { name: 'watcher_recipient_user_fk', onDelete: 'CASCADE' })
  userId!: number;

  @ForeignKey('org', { name: 'watcher_recipient_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;
}

/** Organisations that got the initial watcher. */
@Entity('watcher_start')
export class WatcherStartEntity {
  @ForeignKey('org', { name: 'watcher_start_org_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'watcher_start_pk' })
  orgId!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
