import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type ThresholdChange } from './threshold.types.js';

/** A metric that is currently beyond the threshold of a watcher: survives restarts. */
@Entity('threshold_breach')
export class ThresholdBreachEntity {
  @ForeignKey('watcher', { name: 'threshold_breach_watcher_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'watcher_id', primaryKeyConstraintName: 'threshold_breach_pk' })
  watcherId!: number;

  @Index('threshold_breach_metric_idx')
  @ForeignKey('metric', { name: 'threshold_breach_metric_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'metric_id', primaryKeyConstraintName: 'threshold_breach_pk' })
  metricId!: number;

  @Index('threshold_breach_org_idx')
  @ForeignKey('org', { name: 'threshold_breach_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('double precision', { name: 'since_timestamp' })
  sinceTimestamp!: number;

  /** The limit that it is beyond; for a drop the one computed at its start. */
  @Column('double precision', { name: 'threshold' })
  threshold!: number;
}

/** A breach or a recovery. */
@Entity('threshold_change')
@Index('threshold_change_once_uq', ['watcherId', 'metricId', 'timestamp', 'type'], { unique: true })
@Index('threshold_change_waiting_idx', ['orgId', 'id'], { where: '"handled_at" IS NULL' })
export class ThresholdChangeEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'threshold_change_pk' })
  id!: number;

  @Index('threshold_change_org_idx')
  @ForeignKey('org', { name: 'threshold_change_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @ForeignKey('watcher', { name: 'threshold_change_watcher_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'watcher_id' })
  watcherId!: number;

  @Index('threshold_change_metric_idx')
  @ForeignKey('metric', { name: 'threshold_change_metric_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'metric_id' })
  metricId!: number;

  @Column('text', { name: 'type' })
  type!: ThresholdChange['type'];

  /** Slot of the decisive point. */
  @Column('double precision', { name: 'timestamp' })
  timestamp!: number;

  @Column('double precision', { name: 'value' })
  value!: number;

  @Column('double precision', { name: 'threshold' })
  threshold!: number;

  @Column('text', { name: 'departure', nullable: true })
  departure!: ThresholdChange['departure'];

  @Index('threshold_change_created_idx')
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** Time at which its recipients were chosen; null: not yet. */
  @Column('timestamptz', { name: 'handled_at', nullable: true })
  handledAt!: Date | null;
}
