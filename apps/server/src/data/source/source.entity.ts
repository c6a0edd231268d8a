import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type MetricType } from '#libs/contracts';
import { type SourceType } from './source.types.js';

/** A query on another system whose results are fetched repeatedly. */
@Entity('source')
@Index('source_due_idx', ['orgId', 'nextReadAt'], { where: '"enabled" AND "deleted_at" IS NULL' })
@Index('source_name_idx', ['orgId', 'name'], { unique: true, where: '"deleted_at" IS NULL' })
export class SourceEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'source_pk' })
  id!: number;

  @Index('source_org_idx')
  @ForeignKey('org', { name: 'source_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'name' })
  name!: string;

  @Column('text', { name: 'type' })
  type!: SourceType;

  /** Without credentials. */
  @Column('text', { name: 'url' })
  url!: string;

  @Column('text', { name: 'query' })
  query!: string;

  @Column('text', { name: 'username' })
  username!: string;

  /** Password and request headers. Null: none. */
  @Column('text', { name: 'secrets_sealed', nullable: true })
  secretsSealed!: string | null;

  @Column('integer', { name: 'interval_seconds' })
  intervalSeconds!: number;

  @Column('integer', { name: 'lag_seconds' })
  lagSeconds!: number;

  @Column('integer', { name: 'backfill_seconds' })
  backfillSeconds!: number;

  @Column('text', { name: 'name_template' })
  nameTemplate!: string;

  @Column('text', { name: 'metric_type', nullable: true })
  metricType!: MetricType | null;

  @Column('text', { name: 'unit', nullable: true })
  unit!: string | null;

  @Column('integer', { name: 'timeout_seconds' })
  timeoutSeconds!: number;

  @Column('integer', { name: 'max_series' })
  maxSeries!: number;

  @Column('boolean', { name: 'enabled' })
  enabled!: boolean;

  /** The position of the write-back is in `source_write_back`. */
  @Column('boolean', { name: 'write_back', default: false })
  writeBack!: boolean;

  /** Unix seconds up to which all points are stored; null before the first read. */
  @Column('double precision', { name: 'watermark', nullable: true })
  watermark!: number | null;

  /** Reads still fetch the initially requested history. */
  @Column('boolean', { name: 'is_backfilling' })
  isBackfilling!: boolean;

  /** Number of intervals that the next read may span. */
  @Column('integer', { name: 'chunk_intervals' })
  chunkIntervals!: number;

  /** Of the last read. */
  @Column('integer', { name: 'series_count', nullable: true })
  seriesCount!: number | null;

  @Column('double precision', { name: 'points_per_interval', nullable: true })
  pointsPerInterval!: number | null;

  /** Consecutive failures. */
  @Column('integer', { name: 'failures' })
  failures!: number;

  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  @Column('timestamptz', { name: 'last_success_at', nullable: true })
  lastSuccessAt!: Date | null;

  /** Time of the next read; during a read, the end of its claim. */
  @Column('timestamptz', { name: 'due_at' })
  nextReadAt!: Date;

  /** Number of claims and changes: a read with an outdated number writes nothing. */
  @Column('integer', { name: 'tries' })
  tries!: number;

  @Index('source_created_by_idx', { where: '"created_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'source_created_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'created_by', nullable: true })
  createdBy!: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  /** Null: it exists. The row of a deleted source is kept, so that deleting it again gets the same answer. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}
