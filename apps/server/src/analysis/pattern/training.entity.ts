import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type AnomalyState, type CloseReason } from '#libs/contracts';

/** The verdict of a person on an anomaly, and the state that is restored when the verdict is undone. */
@Entity('training')
export class TrainingEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'training_pk' })
  id!: number;

  @Index('training_org_idx')
  @ForeignKey('org', { name: 'training_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Index('training_anomaly_idx')
  @ForeignKey('anomaly', { name: 'training_anomaly_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'anomaly_id' })
  anomalyId!: number;

  @Column('boolean', { name: 'expected' })
  expected!: boolean;

  /** Seconds. */
  @Column('integer', { name: 'durations', array: true })
  durations!: number[];

  @Column('text', { name: 'label', default: '' })
  label!: string;

  @Index('training_trained_by_idx', { where: '"trained_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'training_trained_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'trained_by', nullable: true })
  trainedBy!: number | null;

  @Column('timestamptz', { name: 'trained_at', default: () => 'now()' })
  trainedAt!: Date;

  @Column('timestamptz', { name: 'undone_at', nullable: true })
  undoneAt!: Date | null;

  @Column('text', { name: 'prior_state' })
  priorState!: AnomalyState;

  @Column('text', { name: 'prior_close_reason', nullable: true })
  priorCloseReason!: CloseReason | null;

  @Column('boolean', { name: 'prior_positive' })
  priorPositive!: boolean;
}
