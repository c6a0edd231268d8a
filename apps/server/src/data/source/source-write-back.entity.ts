import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Position up to which results were written back to a source. */
@Entity('source_write_back')
@Index('source_write_back_due_idx', ['orgId', 'nextWriteAt'])
export class SourceWriteBackEntity {
  /** Of the source. */
  @ForeignKey('source', { name: 'source_write_back_source_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'id', primaryKeyConstraintName: 'source_write_back_pk' })
  id!: number;

  @ForeignKey('org', { name: 'source_write_back_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** Start of the newest slot that is written, Unix seconds; null before the first. */
  @Column('double precision', { name: 'watermark', nullable: true })
  watermark!: number | null;

  /** Consecutive failures. */
  @Column('integer', { name: 'failures' })
  failures!: number;

  /** The store refuses the samples: no retry until the source is changed. */
  @Column('boolean', { name: 'is_stopped' })
  isStopped!: boolean;

  @Column('text', { name: 'last_error', nullable: true })
  lastError!: string | null;

  /** Time of the next write; during a write, the end of its claim. */
  @Column('timestamptz', { name: 'due_at' })
  nextWriteAt!: Date;

  /** Number of claims and changes: an attempt with an outdated number writes nothing. */
  @Column('integer', { name: 'tries' })
  tries!: number;
}
