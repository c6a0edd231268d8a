import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row per partition of the point log. */
@Entity('detection_checkpoint')
export class DetectionCheckpointEntity {
  @PrimaryColumn('integer', { name: 'partition', primaryKeyConstraintName: 'detection_checkpoint_pk' })
  partition!: number;

  /** Rises each time a process takes the partition over; the writes of an older owner no longer count. */
  @Column('integer', { name: 'epoch', default: 0 })
  epoch!: number;

  /** Log position that `state` has seen: where a restart begins to read. */
  @Column('bigint', { name: 'position', default: 0 })
  position!: string;

  /** Log position up to which every effect is stored; never behind `position`. A replay repeats no effect up to here. */
  @Column('bigint', { name: 'applied_position', default: 0 })
  appliedPosition!: string;

  /** Serialized shard; null before the first checkpoint. */
  @Column('bytea', { name: 'state', nullable: true })
  state!: Buffer | null;

  @Column('timestamptz', { name: 'taken_at', nullable: true })
  takenAt!: Date | null;
}
