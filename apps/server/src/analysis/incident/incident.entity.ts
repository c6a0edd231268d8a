import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type IncidentOrigin } from './incident-origin.dto.js';
import { type IncidentState } from './incident.types.js';

/** Anomalies that started together. An incident without anomalies (all were moved or deleted) is in no list. */
@Entity('incident')
@Index('incident_org_start_idx', ['orgId', 'startTimestamp'])
@Index('incident_org_last_start_idx', ['orgId', 'lastStartTimestamp'])
export class IncidentEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'incident_pk' })
  id!: number;

  @ForeignKey('org', { name: 'incident_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'state' })
  state!: IncidentState;

  @Column('text', { name: 'title' })
  title!: string;

  /** Unix seconds: the first and the latest start of its anomalies, and the last end (null while one is open). */
  @Column('double precision', { name: 'start_timestamp' })
  startTimestamp!: number;

  @Column('double precision', { name: 'last_start_timestamp' })
  lastStartTimestamp!: number;

  @Column('double precision', { name: 'end_timestamp', nullable: true })
  endTimestamp!: number | null;

  /** The highest severity of its anomalies. */
  @Column('smallint', { name: 'severity' })
  severity!: number;

  @Column('integer', { name: 'anomalies_count' })
  anomaliesCount!: number;

  @Column('integer', { name: 'metrics_count' })
  metricsCount!: number;

  @Column('jsonb', { name: 'common_labels' })
  commonLabels!: Record<string, string>;

  @Column('jsonb', { name: 'origins' })
  origins!: IncidentOrigin[];

  /** Found entirely in backfilled history. */
  @Column('boolean', { name: 'backfill' })
  backfill!: boolean;
}

/** Assigns an anomaly to its incident. */
@Entity('incident_anomaly')
export class IncidentAnomalyEntity {
  @ForeignKey('anomaly', { name: 'incident_anomaly_anomaly_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'anomaly_id', primaryKeyConstraintName: 'incident_anomaly_pk' })
  anomalyId!: number;

  @Index('incident_anomaly_incident_idx')
  @ForeignKey('incident', { name: 'incident_anomaly_incident_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'incident_id' })
  incidentId!: number;

  @Column('integer', { name: 'org_id' })
  orgId!: number;
}

/** A pending change for the incidents of an organisation: a changed anomaly, or an incident that lost one. */
@Entity('anomaly_change')
@Index('anomaly_change_org_idx', ['orgId', 'id'])
export class AnomalyChangeEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'anomaly_change_pk',
  })
  id!: string;

  @ForeignKey('org', { name: 'anomaly_change_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('integer', { name: 'anomaly_id', nullable: true })
  anomalyId!: number | null;

  @Column('integer', { name: 'incident_id', nullable: true })
  incidentId!: number | null;
}
