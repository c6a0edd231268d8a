import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Number of stored points of an organisation in five minutes of arrival time, or in an hour after compaction. */
@Entity('org_point_count')
@Index('org_point_count_timestamp_idx', ['timestamp'])
export class OrgPointCountEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'org_point_count_pk' })
  @ForeignKey('org', { name: 'org_point_count_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** Unix seconds of the start of the five minutes, or of the hour. */
  @PrimaryColumn('double precision', { name: 'timestamp', primaryKeyConstraintName: 'org_point_count_pk' })
  timestamp!: number;

  @Column('double precision', { name: 'points' })
  points!: number;
}
