import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { type StreamEventType } from '#libs/contracts';

/** An event of the stream. Stored for some minutes. */
@Entity('stream_event')
@Index('stream_event_org_idx', ['orgId', 'id'])
export class StreamEventEntity {
  /** Increases within an organisation in the order of commits. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'stream_event_pk' })
  id!: string;

  @ForeignKey('org', { name: 'stream_event_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Index('stream_event_at_idx')
  @Column('timestamptz', { name: 'happened_at' })
  happenedAt!: Date;

  @Column('text', { name: 'type' })
  type!: StreamEventType;

  /** Id of the changed object: an anomaly, an incident or a job, depending on the type. */
  @Column('integer', { name: 'subject_id' })
  subjectId!: number;

  /** Filter chips are matched with this metric; null if the event is not about a metric. */
  @Column('integer', { name: 'metric_id', nullable: true })
  metricId!: number | null;
}

/** Events of an organisation up to and including this one may have been dropped; later ones have not. */
@Entity('stream_floor')
export class StreamFloorEntity {
  @ForeignKey('org', { name: 'stream_floor_org_fk', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'stream_floor_pk' })
  orgId!: number;

  @Column('bigint', { name: 'event_id' })
  eventId!: string;
}
