import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { type ExclusionTypeId, type Weekday } from './exclusion.types.js';

@Entity('exclusion')
export class ExclusionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'exclusion_pk' })
  id!: number;

  @Index('exclusion_org_idx')
  @ForeignKey('org', { name: 'exclusion_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('smallint', { name: 'type_id' })
  typeId!: ExclusionTypeId;

  /** As typed. */
  @Column('text', { name: 'chips', array: true })
  chips!: string[];

  @Column('text', { name: 'reason', default: '' })
  reason!: string;

  /** In force from `start` until `end`, Unix seconds. */
  @Column('double precision', { name: 'from_timestamp', nullable: true })
  fromTimestamp!: number | null;

  @Column('double precision', { name: 'until_timestamp', nullable: true })
  untilTimestamp!: number | null;

  /** Weekly, in the time zone of the organisation. All three are set or none. */
  @Column('text', { name: 'recurrence_days', array: true, nullable: true })
  recurrenceDays!: Weekday[] | null;

  /** `HH:MM` */
  @Column('text', { name: 'recurrence_start', nullable: true })
  recurrenceStart!: string | null;

  @Column('integer', { name: 'recurrence_duration_seconds', nullable: true })
  recurrenceDurationSeconds!: number | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;

  @Index('exclusion_created_by_idx', { where: '"created_by" IS NOT NULL' })
  @ForeignKey('user_account', { name: 'exclusion_created_by_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'created_by', nullable: true })
  createdBy!: number | null;

  /** Incremented on each change, so that other processes notice it. */
  @Column('integer', { name: 'revision', default: 0 })
  revision!: number;

  /** Deleted rows are kept for 30 days, so that a repeated delete gets the same answer. */
  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt!: Date | null;
}
