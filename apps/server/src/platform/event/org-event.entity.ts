import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type EventLevel, type EventType } from '#libs/contracts';

/** Something that happened in an organisation. Rows are never changed, and are dropped after 400 days. */
@Entity('org_event')
@Index('org_event_org_at_idx', ['orgId', 'happenedAt', 'id'])
@Index('org_event_metric_at_idx', ['metricId', 'happenedAt'], { where: '"metric_id" IS NOT NULL' })
@Index('org_event_at_idx', ['happenedAt'])
export class OrgEventEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'org_event_pk' })
  id!: string;

  @ForeignKey('org', { name: 'org_event_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('timestamptz', { name: 'happened_at' })
  happenedAt!: Date;

  @Column('text', { name: 'type' })
  type!: EventType;

  @Column('text', { name: 'level' })
  level!: EventLevel;

  @Column('text', { name: 'title' })
  title!: string;

  @Column('text', { name: 'text' })
  text!: string;

  @Column('integer', { name: 'user_id', nullable: true })
  userId!: number | null;

  /** Kept after the metric is erased. */
  @Column('integer', { name: 'metric_id', nullable: true })
  metricId!: number | null;

  /** Name of the metric at that time. */
  @Column('text', { name: 'metric', nullable: true })
  metric!: string | null;

  @Column('integer', { name: 'anomaly_id', nullable: true })
  anomalyId!: number | null;

  @Column('integer', { name: 'watcher_id', nullable: true })
  watcherId!: number | null;

  /** Another object that the event is about: its kind and id, both or none. */
  @Column('text', { name: 'ref_kind', nullable: true })
  refKind!: string | null;

  @Column('text', { name: 'ref_id', nullable: true })
  refId!: string | null;

  /** Figures and names for machines, such as counts by reason. */
  @Column('jsonb', { name: 'details', default: () => "'{}'" })
  details!: Record<string, unknown>;
}
