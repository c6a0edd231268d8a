import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Explanation } from '#libs/contracts';
import { type Counterfactual } from '#libs/detection';

/** State of the series in the detector. */
export interface VerdictParameters {
  type: string;
  slotSeconds: number;
  timezone: string;
}

/** The data for repeating the verdict on an anomaly, and the result of the repetition. */
@Entity('anomaly_verdict')
@Index('anomaly_verdict_shape_idx', ['metricId', 'startTimestamp'], { where: '"shape" IS NOT NULL' })
export class AnomalyVerdictEntity {
  @ForeignKey('anomaly', { name: 'anomaly_verdict_anomaly_fk', onDelete: 'CASCADE' })
  @Index('anomaly_verdict_due_idx', { where: '"is_due"' })
  @PrimaryColumn('integer', { name: 'anomaly_id', primaryKeyConstraintName: 'anomaly_verdict_pk' })
  anomalyId!: number;

  @Column('integer', { name: 'metric_id' })
  metricId!: number;

  /** Unix seconds. */
  @Column('double precision', { name: 'start_timestamp' })
  startTimestamp!: number;

  /** DETECTOR_VERSION of the detector that opened it. */
  @Column('integer', { name: 'detector_version' })
  detectorVersion!: number;

  /** It has opened or closed since it was last explained. */
  @Column('boolean', { name: 'is_due' })
  isPending!: boolean;

  /** Null until it was explained, like the other columns below. */
  @Column('jsonb', { name: 'parameters', nullable: true })
  parameters!: VerdictParameters | null;

  /** Unix seconds: first and last stored slot that was read. */
  @Column('double precision', { name: 'from_timestamp', nullable: true })
  fromTimestamp!: number | null;

  @Column('double precision', { name: 'until_timestamp', nullable: true })
  untilTimestamp!: number | null;

  /** The stored slots gave the same verdict. */
  @Column('boolean', { name: 'is_reproduced', nullable: true })
  isReproduced!: boolean | null;

  /** Evidence by part of the score at the slot that opened it. */
  @Column('jsonb', { name: 'parts', nullable: true })
  parts!: Record<string, number> | null;

  @Column('jsonb', { name: 'counterfactual', nullable: true })
  counterfactual!: Counterfactual | null;

  /** Analysed values around the start, SHAPE_SLOTS of them; NaN if missing. */
  @Column('real', { name: 'shape', array: true, nullable: true })
  shape!: number[] | null;

  /** The earlier anomaly of the metric with the most similar shape. */
  @Column('integer', { name: 'look_alike_id', nullable: true })
  lookAlikeId!: number | null;

  /** Correlation with it, 0..1. */
  @Column('real', { name: 'look_alike_similarity', nullable: true })
  lookAlikeSimilarity!: number | null;

  /** The explanation as text for people, after the reasons of the detector. */
  @Column('jsonb', { name: 'explanation', default: () => "'[]'" })
  explanation!: Explanation[];
}
