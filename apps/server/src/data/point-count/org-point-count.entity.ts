import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Number of points of an organisation stored in five minutes; after compaction, in an hour. By time of arrival. */
@Entity('org_point_count')
@Index('org_point_count_timestamp_idx', ['timestamp'])
export class OrgPointCountEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'org_point_count_pk' })
  @ForeignKey('org', { name: 'org_point_count_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** Unix seconds at which the five minutes, or the hour, begin. */
  @PrimaryColumn('double precision', { name: 'timestamp', primaryKeyConstraintName: 'org_point_count_pk' })
  timestamp!: number;

  @Column('double precision', { name: 'points' })
  points!: number;
}
