import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One row per partition of the point log. */
@Entity('detection_checkpoint')
export class DetectionCheckpointEntity {
  @PrimaryColumn('integer', { name: 'partition', primaryKeyConstraintName: 'detection_checkpoint_pk' })
  partition!: number;

  /** Increases each time a process takes over the partition; writes of an older owner are then refused. */
  @Column('integer', { name: 'epoch', default: 0 })
  epoch!: number;

  /** Log position after which a restart from the saved pages begins to read; the log is kept from there on. */
  @Column('bigint', { name: 'position', default: 0 })
  position!: string;

  /**
   * Log position up to which every effect is stored; never before that of a page. A replay repeats no effect up to
   * here.
   */
  @Column('bigint', { name: 'applied_position', default: 0 })
  appliedPosition!: string;

  /** Time of the last save of a page. */
  @Column('timestamptz', { name: 'taken_at', nullable: true })
  takenAt!: Date | null;
}

/** The learnt state of some series of a partition. */
@Entity('detection_checkpoint_page')
@Index('detection_checkpoint_page_object', ['partition'], { where: '"object" IS NOT NULL' })
export class DetectionCheckpointPageEntity {
  @PrimaryColumn('integer', { name: 'partition', primaryKeyConstraintName: 'detection_checkpoint_page_pk' })
  partition!: number;

  @PrimaryColumn('integer', { name: 'page', primaryKeyConstraintName: 'detection_checkpoint_page_pk' })
  page!: number;

  /** Log position of the last record included in the bytes. */
  @Column('bigint', { name: 'position' })
  position!: string;

  @Column('integer', { name: 'series' })
  series!: number;

  /** Definitions and records, compressed (snappy); only the definitions if the records are in an object. */
  @Column('bytea', { name: 'bytes' })
  bytes!: Buffer;

  /** The name of the object with definitions and records (DETECTION_STATE_URL); null: they are in `bytes`. */
  @Column('text', { name: 'object', nullable: true })
  object!: string | null;

  @Column('timestamptz', { name: 'taken_at', default: () => 'now()' })
  takenAt!: Date;
}
