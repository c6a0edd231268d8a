import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A client that listens to the event stream, in any process. */
@Entity('stream_listener')
export class StreamListenerEntity {
  @PrimaryColumn('uuid', { name: 'id', primaryKeyConstraintName: 'stream_listener_pk' })
  id!: string;

  @Index('stream_listener_org_idx')
  @ForeignKey('org', { name: 'stream_listener_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** The user or token whose limit it counts against. */
  @Column('text', { name: 'party' })
  party!: string;

  /** Its process updates this at intervals to show that it is running. */
  @Column('timestamptz', { name: 'seen_at' })
  heartbeatAt!: Date;
}
