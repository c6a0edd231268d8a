import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type BenchmarkLabel, type BenchmarkStatus, type FoundAnomaly, type ModelProgress } from './benchmark.types.js';

/** A series on which a person tries detectors. Its key is the only access to it. */
@Entity('benchmark')
@Index('benchmark_org_idx', ['orgId'], { where: '"org_id" IS NOT NULL' })
@Index('benchmark_place_uq', ['holder', 'place'], { unique: true, where: '"place" IS NOT NULL' })
@Index('benchmark_waiting_idx', ['createdAt'], { where: `"status" IN ('queued', 'running')` })
export class BenchmarkEntity {
  @PrimaryColumn('text', { name: 'key', primaryKeyConstraintName: 'benchmark_pk' })
  key!: string;

  /** Of the caller; null without a credential. */
  @Column('integer', { name: 'org_id', nullable: true })
  @ForeignKey('org', { name: 'benchmark_org_fk', onDelete: 'CASCADE' })
  orgId!: number | null;

  /** The party of the fair queue, until the benchmark is finished. */
  @Column('text', { name: 'party', nullable: true })
  party!: string | null;

  /** The party whose benchmarks are counted together, until it is finished. */
  @Column('text', { name: 'holder', nullable: true })
  holder!: string | null;

  /** Each holder has a few places for unfinished benchmarks; null if it is finished. */
  @Column('smallint', { name: 'place', nullable: true })
  place!: number | null;

  @Column('text', { name: 'name' })
  name!: string;

  @Column('text', { name: 'status' })
  status!: BenchmarkStatus;

  @Column('text', { name: 'message', default: '' })
  message!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  /** While it runs: the last report of its process. */
  @Column('timestamptz', { name: 'beat_at', nullable: true })
  beatAt!: Date | null;

  @Column('smallint', { name: 'tries', default: 0 })
  tries!: number;

  /** The address for the result; null after the mail is queued. */
  @Column('text', { name: 'email', nullable: true })
  email!: string | null;

  @Column('boolean', { name: 'mailed', default: false })
  mailed!: boolean;

  @Column('jsonb', { name: 'models' })
  models!: ModelProgress[];

  @Column('jsonb', { name: 'labels' })
  labels!: BenchmarkLabel[];

  @Column('boolean', { name: 'is_counter' })
  isCounter!: boolean;

  /** IANA name. */
  @Column('text', { name: 'timezone' })
  timezone!: string;

  /** Seconds of a slot; 0: every point is a slot. */
  @Column('integer', { name: 'slot_seconds' })
  slotSeconds!: number;

  @Column('integer', { name: 'resolution_seconds' })
  resolutionSeconds!: number;

  @Column('integer', { name: 'points_count' })
  pointsCount!: number;

  @Column('timestamptz', { name: 'from_at' })
  fromAt!: Date;

  @Column('timestamptz', { name: 'until_at' })
  untilAt!: Date;

  /** Timestamps, then values, 8 bytes each; null once erased. */
  @Column('bytea', { name: 'series', nullable: true, select: false })
  series!: Buffer | null;
}

/** The results of one model on the series of a benchmark. */
@Entity('benchmark_result')
export class BenchmarkResultEntity {
  @PrimaryColumn('text', { name: 'benchmark_key', primaryKeyConstraintName: 'benchmark_result_pk' })
  @ForeignKey('benchmark', { name: 'benchmark_result_benchmark_fk', onDelete: 'CASCADE' })
  benchmarkKey!: string;

  @PrimaryColumn('text', { name: 'model', primaryKeyConstraintName: 'benchmark_result_pk' })
  model!: string;

  /** The columns of a chart, see `packChart`. */
  @Column('bytea', { name: 'columns' })
  columns!: Buffer;

  @Column('jsonb', { name: 'anomalies' })
  anomalies!: FoundAnomaly[];
}
