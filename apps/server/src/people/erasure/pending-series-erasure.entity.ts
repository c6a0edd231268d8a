import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A series whose metric was deleted with its organisation: its points are still to be erased. */
@Entity('leaving_series')
@Index('leaving_series_erase_idx', ['eraseAt'])
export class PendingSeriesErasureEntity {
  @PrimaryColumn('integer', { name: 'metric_id', primaryKeyConstraintName: 'leaving_series_pk' })
  metricId!: number;

  @Column('timestamptz', { name: 'erase_at' })
  eraseAt!: Date;

  /** True if it was erased once: the second pass erases data that was still being written then. */
  @Column('boolean', { name: 'is_last' })
  isLast!: boolean;
}
