import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A user's report about the service. Stored for 400 days. */
@Entity('issue_report')
@Index('issue_report_org_at_idx', ['orgId', 'reportedAt'])
@Index('issue_report_user_idx', ['userId'])
export class IssueReportEntity {
  @PrimaryGeneratedColumn('identity', { type: 'integer', primaryKeyConstraintName: 'issue_report_pk' })
  id!: number;

  @ForeignKey('org', { name: 'issue_report_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** Null after the user is removed. */
  @ForeignKey('user_account', { name: 'issue_report_user_fk', onDelete: 'SET NULL' })
  @Column('integer', { name: 'user_id', nullable: true })
  userId!: number | null;

  @Column('timestamptz', { name: 'reported_at' })
  reportedAt!: Date;

  @Column('text', { name: 'message' })
  message!: string;

  /** Page that the report is about; may be empty. */
  @Column('text', { name: 'url' })
  url!: string;

  /** JSON object as it was sent; stored as text, because it may contain characters that jsonb does not support. */
  @Column('text', { name: 'context' })
  context!: string;
}
