import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type Aggregation, type MetricState, type MetricType } from '#libs/contracts';
import { type MetricChangeKind, type TypeSource } from './metric-registry.types.js';

@Entity('metric')
@Index('metric_org_name_uq', ['orgId', 'nameHash'], { unique: true })
// Over an expression, which the mapper cannot describe.
@Index('metric_org_display_name_idx', { synchronize: false })
export class MetricEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'metric_pk' })
  id!: number;

  /** Detection settings that result from tuning: a row of `detection_terms`; null: the defaults. */
  @Column('integer', { name: 'terms_id', nullable: true })
  termsId!: number | null;

  @ForeignKey('org', { name: 'metric_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** Canonical name, up to 1024 characters. */
  @Column('text', { name: 'name' })
  name!: string;

  /** SHA-256 of the name: names may be longer than an index entry. */
  @Column('bytea', { name: 'name_hash' })
  nameHash!: Buffer;

  /** Name without labels. */
  @Column('text', { name: 'display_name' })
  displayName!: string;

  @Column('jsonb', { name: 'labels', default: () => "'{}'" })
  labels!: Record<string, string>;

  @Column('text', { name: 'type' })
  type!: MetricType;

  @Column('text', { name: 'type_source', default: () => "'default'" })
  typeSource!: TypeSource;

  @Column('text', { name: 'aggregation' })
  aggregation!: Aggregation;

  @Column('text', { name: 'unit', nullable: true })
  unit!: string | null;

  @Column('text', { name: 'description', nullable: true })
  description!: string | null;

  /** Service id of the first sender. */
  @Column('text', { name: 'source' })
  source!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** Set when the metric is removed from the quota; cleared when it sends again. */
  @Column('timestamptz', { name: 'removed_at', nullable: true })
  removedAt!: Date | null;

  /** Unix seconds of the first and newest slot. */
  @Column('double precision', { name: 'first_timestamp', nullable: true })
  firstTimestamp!: number | null;

  @Column('double precision', { name: 'last_timestamp', nullable: true })
  lastTimestamp!: number | null;

  @Column('double precision', { name: 'last_value', nullable: true })
  lastValue!: number | null;

  /** Number of slots with points. */
  @Column('integer', { name: 'points', default: 0 })
  points!: number;

  /** Values missing until the first verdict; without meaning once the expected range is ready. */
  @Column('integer', { name: 'values_needed', default: 100 })
  valuesNeeded!: number;

  /** Rows arrive at a steady interval; null: unknown. */
  @Column('boolean', { name: 'steady_pace', nullable: true })
  isSteady!: boolean | null;

  @Column('integer', { name: 'resolution_seconds', nullable: true })
  resolutionSeconds!: number | null;

  @Column('integer', { name: 'seasonal_periods', array: true, default: () => "'{}'" })
  seasonalPeriods!: number[];

  /** The sender has ended the series, and no point has arrived since. */
  @Column('boolean', { name: 'has_ended', default: false })
  hasEnded!: boolean;

  /** All points are history: the metric is neither stale nor inactive. */
  @Column('boolean', { name: 'only_history', default: false })
  isOnlyHistory!: boolean;

  @Column('boolean', { name: 'ready_range', default: false })
  readyRange!: boolean;

  @Column('boolean', { name: 'ready_daily', default: false })
  readyDaily!: boolean;

  @Column('boolean', { name: 'ready_weekly', default: false })
  readyWeekly!: boolean;
}

/**
 * Columns for lists and searches: a narrow row per metric, kept equal to `metric` by triggers. Texts are in lower case,
 * so that they can be compared as bytes.
 */
@Entity('metric_search')
@Index('metric_search_org_name_idx', { synchronize: false })
@Index('metric_search_labels_idx', { synchronize: false })
@Index('metric_search_name_trgm_idx', { synchronize: false })
export class MetricSearchEntity {
  @ForeignKey('metric', { name: 'metric_search_metric_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'metric_id', primaryKeyConstraintName: 'metric_search_pk' })
  metricId!: number;

  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** `removed` is set immediately; other states are those of the last run of MetricStatesService. */
  @Column({ type: 'text', name: 'state', collation: 'C' })
  state!: MetricState;

  /** Time since which an exclusion refuses the data of the metric. */
  @Column('timestamptz', { name: 'excluded_at', nullable: true })
  excludedAt!: Date | null;

  @Column({ type: 'text', name: 'name', collation: 'C' })
  name!: string;

  @Column({ type: 'text', name: 'type', collation: 'C' })
  type!: string;

  @Column({ type: 'text', name: 'source', collation: 'C' })
  source!: string;

  /** Keys and values in lower case; a list of values for keys that differ only in case. */
  @Column('jsonb', { name: 'labels' })
  labels!: Record<string, string>;
}

/** A notice to all processes. They read it within seconds; it is kept for an hour. */
@Entity('metric_change')
@Index('metric_change_changed_idx', ['changedAt'])
export class MetricChangeEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'metric_change_pk' })
  id!: string;

  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'kind' })
  kind!: MetricChangeKind;

  @Column('integer', { name: 'metric_ids', array: true })
  metricIds!: number[];

  @Column('text', { name: 'metric_type', nullable: true })
  metricType!: MetricType | null;

  @Column('timestamptz', { name: 'changed_at', default: () => 'clock_timestamp()' })
  changedAt!: Date;
}
