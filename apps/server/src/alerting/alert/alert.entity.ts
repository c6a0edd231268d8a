import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type AlertContent, type AlertKind } from '#libs/alerting';
import { type AlertState } from './alert.types.js';

/** A subject that people or programs are alerted of, from its first message to its last. */
@Entity('alert')
@Index('alert_key_idx', ['orgId', 'key'], { unique: true })
@Index('alert_watcher_idx', ['watcherId', 'id'], { where: '"watcher_id" IS NOT NULL' })
export class AlertEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'alert_pk' })
  id!: number;

  @ForeignKey('org', { name: 'alert_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** The subject, as the area that alerts identifies it. */
  @Column('text', { name: 'key' })
  key!: string;

  @Column('text', { name: 'kind' })
  kind!: AlertKind;

  @Column('text', { name: 'state' })
  state!: AlertState;

  /** Incremented when it opens again: earlier messages belong to another life. */
  @Column('integer', { name: 'life', default: 1 })
  life!: number;

  /** False: a part of an alert that already counts, in a separate message. */
  @Column('boolean', { name: 'counts', default: true })
  counts!: boolean;

  @Column('integer', { name: 'anomaly_id', nullable: true })
  anomalyId!: number | null;

  @Index('alert_incident_idx', { where: '"incident_id" IS NOT NULL' })
  @Column('integer', { name: 'incident_id', nullable: true })
  incidentId!: number | null;

  @Column('integer', { name: 'watcher_id', nullable: true })
  watcherId!: number | null;

  /** At the time of the alert: watchers are renamed and deleted. */
  @Column('text', { name: 'watcher_name', nullable: true })
  watcherName!: string | null;

  @Column('integer', { name: 'metric_id', nullable: true })
  metricId!: number | null;

  /** The latest content, for channels that resend it while the alert is open. */
  @Column('jsonb', { name: 'content' })
  content!: AlertContent;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Index('alert_updated_idx')
  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}

/** The metrics and anomalies that an alert is about, sorted, each id once. */
@Entity('alert_subject')
// GIN, which the entity cannot express.
@Index('alert_subject_anomaly_idx', { synchronize: false })
export class AlertSubjectEntity {
  @ForeignKey('alert', { name: 'alert_subject_alert_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'alert_id', primaryKeyConstraintName: 'alert_subject_pk' })
  alertId!: number;

  @Column('integer', { name: 'metric_ids', array: true })
  metricIds!: number[];

  /** 0: the metric is beyond a threshold. */
  @Column('integer', { name: 'anomaly_ids', array: true })
  anomalyIds!: number[];
}
