import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type PlanPhase, type PlanState } from '#libs/alerting';

/** The state as JSON. Its member names are those of version 1.0: processes of both versions read it during an update. */
export type StoredPlanState = Omit<
  PlanState,
  'notifiedMetrics' | 'notifiedAt' | 'notifiedSeverity' | 'notifiedCount' | 'recheckAt'
> &
  Record<'toldAt' | 'dueAt', number | null> & {
    toldSeverity: number;
    toldCount: number;
  };

/** A changed anomaly without a decision. */
@Entity('alert_change')
@Index('alert_change_org_idx', ['orgId', 'id'])
export class AlertChangeEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'alert_change_pk',
  })
  id!: string;

  @ForeignKey('org', { name: 'alert_change_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('integer', { name: 'anomaly_id' })
  anomalyId!: number;

  @Column('timestamptz', { name: 'changed_at', default: () => 'clock_timestamp()' })
  changedAt!: Date;
}

/** State of an incident, or of metrics that crossed a threshold together, for a watcher. Times in Unix seconds. */
@Entity('alert_plan')
@Index('alert_plan_key_idx', ['orgId', 'key'], { unique: true })
@Index('alert_plan_open_idx', ['orgId'], { where: `"phase" IN ('told', 'acknowledged')` })
@Index('alert_plan_watcher_idx', ['watcherId', 'notifiedAt'], { where: '"told_at" IS NOT NULL' })
export class AlertPlanEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'alert_plan_pk',
  })
  id!: string;

  @ForeignKey('org', { name: 'alert_plan_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** Of the alert. */
  @Column('text', { name: 'key' })
  key!: string;

  @Column('integer', { name: 'watcher_id' })
  watcherId!: number;

  /** Null for thresholds, and for an anomaly that joined no incident in time. */
  @Index('alert_plan_incident_idx', { where: '"incident_id" IS NOT NULL' })
  @Column('integer', { name: 'incident_id', nullable: true })
  incidentId!: number | null;

  /** The anomaly that it began with; the plan follows it to another incident. */
  @Index('alert_plan_lead_idx', { where: '"lead_anomaly_id" IS NOT NULL' })
  @Column('integer', { name: 'lead_anomaly_id', nullable: true })
  leadAnomalyId!: number | null;

  @Column('text', { name: 'phase' })
  phase!: PlanPhase;

  @Index('alert_plan_due_idx', { where: '"due_at" IS NOT NULL' })
  @Column('double precision', { name: 'due_at', nullable: true })
  recheckAt!: number | null;

  @Column('double precision', { name: 'told_at', nullable: true })
  notifiedAt!: number | null;

  @Column('double precision', { name: 'ended_at', nullable: true })
  endedAt!: number | null;

  /** The highest severity in a message so far. */
  @Column('smallint', { name: 'severity' })
  severity!: number;

  @Column('integer', { name: 'told_metrics', array: true })
  notifiedMetrics!: number[];

  /** The rest of the state. */
  @Column('jsonb', { name: 'state' })
  state!: StoredPlanState;

  /** Of thresholds: the metrics beyond them. */
  @Column('jsonb', { name: 'breaches', nullable: true })
  breaches!: object[] | null;

  /** Time of the last check. */
  @Index('alert_plan_planned_idx')
  @Column('double precision', { name: 'planned_at' })
  plannedAt!: number;
}

/** An incident that began together with many others: one message reports all of them. */
@Entity('alert_burst')
@Index('alert_burst_org_idx', ['orgId', 'joinedAt'])
export class AlertBurstEntity {
  @ForeignKey('incident', { name: 'alert_burst_incident_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'incident_id', primaryKeyConstraintName: 'alert_burst_pk' })
  incidentId!: number;

  @ForeignKey('org', { name: 'alert_burst_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** The incident whose plans form the burst. */
  @Index('alert_burst_burst_idx')
  @Column('integer', { name: 'burst_id' })
  burstId!: number;

  /** Unix seconds. */
  @Column('double precision', { name: 'joined_at' })
  joinedAt!: number;
}
