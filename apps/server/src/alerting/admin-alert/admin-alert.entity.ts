import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type AdminAlertId, type AdminAlertState } from './admin-alert.types.js';

/** One of the admin alerts of an organisation: its settings and its state. Without a row it has no settings yet. */
@Entity('admin_alert')
export class AdminAlertEntity {
  @ForeignKey('org', { name: 'admin_alert_org_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'admin_alert_pk' })
  orgId!: number;

  @PrimaryColumn('smallint', { name: 'type_id', primaryKeyConstraintName: 'admin_alert_pk' })
  typeId!: AdminAlertId;

  @Column('boolean', { name: 'enabled', default: true })
  enabled!: boolean;

  @Column('integer', { name: 'email_users', array: true, default: '{}' })
  emailUsers!: number[];

  @Column('integer', { name: 'sms_users', array: true, default: '{}' })
  smsUsers!: number[];

  /** Empty: none. */
  @Column('text', { name: 'chat_channel', default: '' })
  chatChannel!: string;

  @Column('integer', { name: 'wait_seconds', default: 300 })
  waitSeconds!: number;

  @Column('integer', { name: 'expiration_seconds', default: 3600 })
  expirationSeconds!: number;

  @Column('text', { name: 'state', default: 'ok' })
  state!: AdminAlertState;

  /** Unix seconds, as all times of the row: when the condition began. */
  @Column('double precision', { name: 'since', nullable: true })
  since!: number | null;

  /** The recipients were notified that it is raised. */
  @Column('boolean', { name: 'is_told', default: false })
  isNotified!: boolean;

  @Column('double precision', { name: 'last_notified_at', nullable: true })
  lastNotifiedAt!: number | null;

  /** Raised by POST, until that is withdrawn. */
  @Column('boolean', { name: 'is_from_outside', default: false })
  isFromOutside!: boolean;

  @Column('text', { name: 'message', default: '' })
  message!: string;

  @Column('integer', { name: 'affected_count', default: 0 })
  affectedCount!: number;

  /** At most 1000. */
  @Column('text', { name: 'affected_metrics', array: true, default: '{}' })
  affectedMetrics!: string[];
}

/** An organisation that is at its limits, for the operator of the installation. */
@Entity('operator_alert')
export class OperatorAlertEntity {
  @ForeignKey('org', { name: 'operator_alert_org_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'operator_alert_pk' })
  orgId!: number;

  /** Unix seconds, as all times of the row: the first refusal. */
  @Column('double precision', { name: 'since' })
  since!: number;

  @Column('double precision', { name: 'last_refused_at' })
  lastRefusedAt!: number;

  /** Number of refusals since then, over all processes. */
  @Column('integer', { name: 'requests' })
  requests!: number;

  @Column('double precision', { name: 'told_at', nullable: true })
  notifiedAt!: number | null;
}
