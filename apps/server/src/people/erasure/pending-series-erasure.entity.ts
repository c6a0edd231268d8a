import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A series whose metric went with its organisation: its points are still to be erased. */
@Entity('leaving_series')
@Index('leaving_series_erase_idx', ['eraseAt'])
export class PendingSeriesErasureEntity {
  @PrimaryColumn('integer', { name: 'metric_id', primaryKeyConstraintName: 'leaving_series_pk' })
  metricId!: number;

  @Column('timestamptz', { name: 'erase_at' })
  eraseAt!: Date;

  /** Already erased once; data that was still being written then is erased now. */
  @Column('boolean', { name: 'is_last' })
  isLast!: boolean;
}
