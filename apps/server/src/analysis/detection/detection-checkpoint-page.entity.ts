import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was learnt of some series of a partition. */
@Entity('detection_checkpoint_page')
export class DetectionCheckpointPageEntity {
  @PrimaryColumn('integer', { name: 'partition', primaryKeyConstraintName: 'detection_checkpoint_page_pk' })
  partition!: number;

  @PrimaryColumn('integer', { name: 'page', primaryKeyConstraintName: 'detection_checkpoint_page_pk' })
  page!: number;

  /** Log position that the bytes have seen. */
  @Column('bigint', { name: 'position' })
  position!: string;

  @Column('integer', { name: 'series' })
  series!: number;

  /** Definitions and records, compressed (snappy). */
  @Column('bytea', { name: 'bytes' })
  bytes!: Buffer;

  @Column('timestamptz', { name: 'taken_at', default: () => 'now()' })
  takenAt!: Date;
}
