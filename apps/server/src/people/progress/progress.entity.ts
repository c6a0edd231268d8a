import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type ProgressStatus, type ProgressStep, type ProgressType } from './progress.types.js';

/** A job or a guide, and its progress. */
@Entity('progress')
@Index('progress_org_idx', ['orgId', 'id'])
@Index('progress_user_idx', ['userId'], { where: '"user_id" IS NOT NULL' })
@Index('progress_finished_idx', ['finishedAt'], { where: '"finished_at" IS NOT NULL' })
@Index('progress_onboarding_uq', ['orgId'], { unique: true, where: `"type" = 'onboarding'` })
@Index('progress_tour_uq', ['userId'], { unique: true, where: `"type" = 'tour'` })
export class ProgressEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'progress_pk' })
  id!: number;

  @ForeignKey('org', { name: 'progress_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** User who started it, or owner of the tour. */
  @ForeignKey('user_account', { name: 'progress_user_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'user_id', nullable: true })
  userId!: number | null;

  @Column('text', { name: 'type' })
  type!: ProgressType;

  @Column('text', { name: 'title' })
  title!: string;

  @Column('text', { name: 'status' })
  status!: ProgressStatus;

  @Column('smallint', { name: 'percent', default: 0 })
  percent!: number;

  @Column('text', { name: 'message', default: '' })
  message!: string;

  @Column('jsonb', { name: 'steps', default: () => "'[]'" })
  steps!: ProgressStep[];

  @Column('jsonb', { name: 'result', nullable: true })
  result!: object | null;

  @Column('text', { name: 'error', nullable: true })
  error!: string | null;

  @Column('boolean', { name: 'cancellable', default: false })
  cancellable!: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
