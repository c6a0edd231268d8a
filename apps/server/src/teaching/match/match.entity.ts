import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type AnomalyEvent } from '#libs/detection';
import { type CandidateState, type MatchType } from './match.types.js';

/** An event that would open an anomaly on a metric with patterns; stored until the check has ended. */
@Entity('anomaly_candidate')
export class AnomalyCandidateEntity {
  @ForeignKey('metric', { name: 'anomaly_candidate_metric_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'metric_id', primaryKeyConstraintName: 'anomaly_candidate_pk' })
  metricId!: number;

  @PrimaryColumn('double precision', { name: 'start_timestamp', primaryKeyConstraintName: 'anomaly_candidate_pk' })
  startTimestamp!: number;

  @Index('anomaly_candidate_org_idx')
  @ForeignKey('org', { name: 'anomaly_candidate_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** The latest event of the detector. */
  @Column('jsonb', { name: 'event' })
  event!: AnomalyEvent;

  @Column('text', { name: 'state' })
  state!: CandidateState;

  /** Incremented with each event of the detector. */
  @Column('integer', { name: 'revision', default: 0 })
  revision!: number;

  /** Unix seconds: without a verdict by then it opens unconfirmed. */
  @Column('double precision', { name: 'deadline' })
  deadline!: number;

  /** Unix seconds: time of the next check. */
  @Index('anomaly_candidate_check_idx')
  @Column('double precision', { name: 'check_at' })
  checkAt!: number;
}

/** A period that would have been an anomaly but resembled a pattern. */
@Entity('pattern_match')
@Index('pattern_match_metric_start_uq', ['metricId', 'startTimestamp'], { unique: true })
@Index('pattern_match_org_start_idx', ['orgId', 'startTimestamp'])
@Index('pattern_match_pattern_idx', ['patternId', 'startTimestamp'])
export class MatchEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'pattern_match_pk' })
  id!: number;

  @ForeignKey('org', { name: 'pattern_match_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @ForeignKey('metric', { name: 'pattern_match_metric_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'metric_id' })
  metricId!: number;

  @ForeignKey('pattern', { name: 'pattern_match_pattern_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'pattern_id' })
  patternId!: number;

  @Column('double precision', { name: 'start_timestamp' })
  startTimestamp!: number;

  @Column('text', { name: 'match_type' })
  matchType!: MatchType;

  @Column('double precision', { name: 'similarity' })
  similarity!: number;

  @Column('double precision', { name: 'distance' })
  distance!: number;

  /** The compared windows: `window_slots` slots, in the pattern from this one of `fine`, in the series from `window_start`. */
  @Column('integer', { name: 'shape_index' })
  shapeIndex!: number;

  @Column('double precision', { name: 'window_start' })
  windowStart!: number;

  @Column('integer', { name: 'window_slots' })
  windowSlots!: number;

  @Column('double precision', { name: 'area_percent' })
  areaPercent!: number;

  @Column('text', { name: 'explanation' })
  explanation!: string;

  /** The suppressed anomaly, as an event of the detector. */
  @Column('jsonb', { name: 'event' })
  event!: AnomalyEvent;

  @Column('boolean', { name: 'validated', nullable: true })
  validated!: boolean | null;

  @Index('pattern_match_validated_by_idx', { where: '"validated_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'pattern_match_validated_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'validated_by', nullable: true })
  validatedBy!: number | null;

  @Column('timestamptz', { name: 'validated_at', nullable: true })
  validatedAt!: Date | null;

  /** Patterns that the verdict on the match has disabled: they are enabled again if the verdict is undone. */
  @Column('integer', { name: 'disabled_pattern_ids', array: true, default: () => "'{}'" })
  disabledPatternIds!: number[];

  /** The anomaly that was opened instead, or before the check had a result. */
  @Index('pattern_match_anomaly_idx', { where: '"anomaly_id" IS NOT NULL' })
  @ForeignKey('anomaly', { name: 'pattern_match_anomaly_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'anomaly_id', nullable: true })
  anomalyId!: number | null;

  /** The verdict on the match has created the anomaly, which is deleted if the verdict is undone. */
  @Column('boolean', { name: 'made_anomaly', default: false })
  hasCreatedAnomaly!: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
