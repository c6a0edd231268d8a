import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type AnomalyKind, type AnomalyState, type CloseReason, type Explanation } from '#libs/contracts';

@Entity('anomaly')
@Index('anomaly_metric_start_uq', ['metricId', 'startTimestamp'], { unique: true })
@Index('anomaly_org_start_idx', ['orgId', 'startTimestamp'])
export class AnomalyEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'anomaly_pk' })
  id!: number;

  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @ForeignKey('metric', { name: 'anomaly_metric_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'metric_id' })
  metricId!: number;

  /** Unix seconds: first anomalous slot, last anomalous slot (null while open), slot with the highest score. */
  @Column('double precision', { name: 'start_timestamp' })
  startTimestamp!: number;

  @Column('double precision', { name: 'end_timestamp', nullable: true })
  endTimestamp!: number | null;

  /**
   * End of the last anomalous slot, once slots are normal again; null before, and for anomalies recorded before this
   * column existed.
   */
  @Column('double precision', { name: 'out_until_timestamp', nullable: true })
  outUntilTimestamp!: number | null;

  @Column('double precision', { name: 'peak_timestamp' })
  peakTimestamp!: number;

  @Column('double precision', { name: 'value', nullable: true })
  value!: number | null;

  @Column('double precision', { name: 'peak_value', nullable: true })
  peakValue!: number | null;

  /** Expected value and range as computed live at the start. */
  @Column('double precision', { name: 'expected', nullable: true })
  expected!: number | null;

  @Column('double precision', { name: 'lower', nullable: true })
  lower!: number | null;

  @Column('double precision', { name: 'upper', nullable: true })
  upper!: number | null;

  @Column('double precision', { name: 'score' })
  score!: number;

  @Column('smallint', { name: 'severity' })
  severity!: number;

  /**
   * Expected number of days between two anomalies of the metric when this one started; null if its history is too
   * short.
   */
  @Column('double precision', { name: 'rarity_days', nullable: true })
  rarityDays!: number | null;

  @Column('text', { name: 'kind' })
  kind!: AnomalyKind;

  @Column('jsonb', { name: 'explanation', default: () => "'[]'" })
  explanation!: Explanation[];

  @Column('text', { name: 'state' })
  state!: AnomalyState;

  @Column('text', { name: 'close_reason', nullable: true })
  closeReason!: CloseReason | null;

  /** Found in backfilled history: recorded, never alerted. */
  @Column('boolean', { name: 'backfill', default: false })
  backfill!: boolean;

  /** A later verdict made it an anomaly: recorded, never alerted. */
  @Column('boolean', { name: 'quiet', default: false })
  quiet!: boolean;

  /** Opened because the check against trained patterns had no result in time; the check continues. */
  @Column('boolean', { name: 'unconfirmed', default: false })
  unconfirmed!: boolean;

  /** A user confirmed it as a real problem. */
  @Column('boolean', { name: 'positive', default: false })
  positive!: boolean;

  @Index('anomaly_acknowledged_by_idx', { where: '"acknowledged_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'anomaly_acknowledged_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'acknowledged_by', nullable: true })
  acknowledgedBy!: number | null;

  @Column('timestamptz', { name: 'acknowledged_at', nullable: true })
  acknowledgedAt!: Date | null;

  @Column('text', { name: 'acknowledge_note', nullable: true })
  acknowledgeNote!: string | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
