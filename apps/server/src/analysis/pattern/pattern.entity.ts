import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type PatternOrigin, type PendingStatus } from './pattern.types.js';

@Entity('pattern')
@Index('pattern_metric_idx', ['metricId', 'enabled'])
export class PatternEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'pattern_pk' })
  id!: number;

  @Index('pattern_org_idx')
  @ForeignKey('org', { name: 'pattern_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @ForeignKey('metric', { name: 'pattern_metric_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'metric_id' })
  metricId!: number;

  @Index('pattern_anomaly_idx', { where: '"anomaly_id" IS NOT NULL' })
  @ForeignKey('anomaly', { name: 'pattern_anomaly_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'anomaly_id', nullable: true })
  anomalyId!: number | null;

  /** Null if the system created it, and after its training was undone. */
  @Index('pattern_training_idx', { where: '"training_id" IS NOT NULL' })
  @ForeignKey('training', { name: 'pattern_training_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'training_id', nullable: true })
  trainingId!: number | null;

  /** The pattern from which it was derived; if that one is disabled, this one is too. */
  @Index('pattern_parent_idx', { where: '"parent_id" IS NOT NULL' })
  @ForeignKey('pattern', { name: 'pattern_parent_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'parent_id', nullable: true })
  parentId!: number | null;

  /** The first pattern of its family; null for that one itself. */
  @Index('pattern_root_idx', { where: '"root_id" IS NOT NULL' })
  @ForeignKey('pattern', { name: 'pattern_root_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'root_id', nullable: true })
  rootId!: number | null;

  /** 0: trained by a person. */
  @Column('smallint', { name: 'generation', default: 0 })
  generation!: number;

  @Column('text', { name: 'origin' })
  origin!: PatternOrigin;

  /** Null: created by the system, or with a token. */
  @Index('pattern_creator_idx', { where: '"creator_user_id" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'pattern_creator_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'creator_user_id', nullable: true })
  creatorUserId!: number | null;

  /** Seconds. */
  @Column('integer', { name: 'duration' })
  duration!: number;

  /** First and last slot of the anomalous part, Unix seconds. */
  @Column('double precision', { name: 'part_start' })
  partStart!: number;

  @Column('double precision', { name: 'part_end' })
  partEnd!: number;

  @Column('double precision', { name: 'fine_start' })
  fineStart!: number;

  @Column('integer', { name: 'fine_step' })
  fineStep!: number;

  /** Slots around the part: 32-bit floats, little endian; NaN for missing data. */
  @Column('bytea', { name: 'fine' })
  fine!: Buffer;

  @Column('double precision', { name: 'context_start' })
  contextStart!: number;

  @Column('integer', { name: 'context_step' })
  contextStep!: number;

  /** The time before the part, in long slots; encoded like `fine`. */
  @Column('bytea', { name: 'context' })
  context!: Buffer;

  /** The times of its starts, at which it may start again. Unix seconds. */
  @Column('double precision', { name: 'starts', array: true })
  starts!: number[];

  /** Known instances, and their lengths and heights as ratios to the shape (Habit). */
  @Column('integer', { name: 'instances', default: 1 })
  instances!: number;

  @Column('double precision', { name: 'shortest', default: 1 })
  shortest!: number;

  @Column('double precision', { name: 'longest', default: 1 })
  longest!: number;

  @Column('double precision', { name: 'lowest', default: 1 })
  lowest!: number;

  @Column('double precision', { name: 'highest', default: 1 })
  highest!: number;

  @Column('double precision', { name: 'anomaly_value', nullable: true })
  anomalyValue!: number | null;

  @Column('text', { name: 'label', default: '' })
  label!: string;

  @Column('boolean', { name: 'enabled', default: true })
  enabled!: boolean;

  /** Shape of a known problem: it labels anomalies and suppresses nothing. */
  @Column('boolean', { name: 'positive', default: false })
  positive!: boolean;

  /** Compared, but suppresses nothing until a person or other patterns have agreed with it. */
  @Column('boolean', { name: 'shadow', default: false })
  shadow!: boolean;

  /** The system may derive others from it. */
  @Column('boolean', { name: 'learn', default: true })
  learn!: boolean;

  /** A person's verdict on a pattern that the system created. */
  @Column('boolean', { name: 'validated', nullable: true })
  validated!: boolean | null;

  @Column('double precision', { name: 'similarity_threshold' })
  similarityThreshold!: number;

  @Column('integer', { name: 'checks', default: 0 })
  checks!: number;

  @Column('integer', { name: 'matches', default: 0 })
  matches!: number;

  @Column('integer', { name: 'invalid_matches', default: 0 })
  invalidMatches!: number;

  /** In shadow: number of consecutive equal results of trusted patterns. */
  @Column('integer', { name: 'agreements', default: 0 })
  agreements!: number;

  @Column('double precision', { name: 'last_match_timestamp', nullable: true })
  lastMatchTimestamp!: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

/** A pattern that waits to be built. */
@Entity('pending_pattern')
export class PendingPatternEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'pending_pattern_pk' })
  id!: number;

  @Index('pending_pattern_org_idx')
  @ForeignKey('org', { name: 'pending_pattern_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Index('pending_pattern_metric_idx')
  @ForeignKey('metric', { name: 'pending_pattern_metric_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'metric_id' })
  metricId!: number;

  @Index('pending_pattern_anomaly_idx')
  @ForeignKey('anomaly', { name: 'pending_pattern_anomaly_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'anomaly_id' })
  anomalyId!: number;

  @Index('pending_pattern_training_idx')
  @ForeignKey('training', { name: 'pending_pattern_training_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'training_id' })
  trainingId!: number;

  @Column('integer', { name: 'duration' })
  duration!: number;

  @Column('text', { name: 'origin' })
  origin!: PatternOrigin;

  @Column('text', { name: 'label', default: '' })
  label!: string;

  @Column('boolean', { name: 'positive', default: false })
  positive!: boolean;

  @Column('boolean', { name: 'learn', default: true })
  learn!: boolean;

  @Column('text', { name: 'status' })
  status!: PendingStatus;

  @Column('text', { name: 'message', nullable: true })
  message!: string | null;

  @Index('pending_pattern_requested_by_idx', { where: '"requested_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'pending_pattern_requested_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'requested_by', nullable: true })
  requestedBy!: number | null;

  @Column('timestamptz', { name: 'requested_at', default: () => 'now()' })
  requestedAt!: Date;

  @Index('pending_pattern_progress_idx', { where: '"progress_id" IS NOT NULL' })
  @ForeignKey('progress', { name: 'pending_pattern_progress_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'progress_id', nullable: true })
  progressId!: number | null;
}

/** An anomaly that resembles a known problem. */
@Entity('anomaly_resemblance')
export class AnomalyResemblanceEntity {
  @ForeignKey('anomaly', { name: 'anomaly_resemblance_anomaly_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'anomaly_id', primaryKeyConstraintName: 'anomaly_resemblance_pk' })
  anomalyId!: number;

  @Index('anomaly_resemblance_pattern_idx')
  @ForeignKey('pattern', { name: 'anomaly_resemblance_pattern_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'pattern_id', primaryKeyConstraintName: 'anomaly_resemblance_pk' })
  patternId!: number;

  @Index('anomaly_resemblance_org_idx')
  @ForeignKey('org', { name: 'anomaly_resemblance_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;
}
