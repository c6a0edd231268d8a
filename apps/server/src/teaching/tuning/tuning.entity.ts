import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type AnomalyKind } from '#libs/contracts';
import { type TuningDirection } from './tuning.types.js';

/** Settings of detection for the metrics that chips select. */
@Entity('tuning')
export class TuningEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'tuning_pk' })
  id!: number;

  @Index('tuning_org_idx')
  @ForeignKey('org', { name: 'tuning_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'name' })
  name!: string;

  /** As typed. */
  @Column('text', { name: 'chips', array: true })
  chips!: string[];

  @Column('double precision', { name: 'sensitivity' })
  sensitivity!: number;

  @Column('text', { name: 'direction' })
  direction!: TuningDirection;

  /** Empty: all. */
  @Column('text', { name: 'kinds', array: true })
  kinds!: AnomalyKind[];

  @Column('integer', { name: 'min_duration_seconds' })
  minDurationSeconds!: number;

  /** Null: found in the data; 0: none. */
  @Column('integer', { name: 'period_seconds', nullable: true })
  periodSeconds!: number | null;

  @Column('double precision', { name: 'minimum_size', nullable: true })
  minimumSize!: number | null;

  @Column('double precision', { name: 'false_alarms_per_month', nullable: true })
  falseAlarmsPerMonth!: number | null;

  @Index('tuning_created_by_idx', { where: '"created_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'tuning_created_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'created_by', nullable: true })
  createdBy!: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** Null: it applies. The row of a deleted tuning remains, so the call that deletes it can be repeated. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}

/** Time at which the tunings of an organisation are next applied to its metrics. */
@Entity('tuning_application')
export class TuningApplicationEntity {
  @ForeignKey('org', { name: 'tuning_application_org_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'tuning_application_pk' })
  orgId!: number;

  @Column('timestamptz', { name: 'due_at' })
  applyAt!: Date;
}
