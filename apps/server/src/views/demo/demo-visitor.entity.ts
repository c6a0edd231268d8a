import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A visitor of the demo who agreed that the operator may get in touch. Goes with the user. */
@Entity('demo_visitor')
@Index('demo_visitor_org_idx', ['orgId'])
export class DemoVisitorEntity {
  @PrimaryColumn('integer', { name: 'user_id', primaryKeyConstraintName: 'demo_visitor_pk' })
  @ForeignKey('user_account', { name: 'demo_visitor_user_fk', onDelete: 'CASCADE' })
  userId!: number;

  @ForeignKey('org', { name: 'demo_visitor_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  /** Not the address of the account: it has not been confirmed. */
  @Column('text', { name: 'email', nullable: true })
  email!: string | null;

  @Column('timestamptz', { name: 'consented_at' })
  consentedAt!: Date;
}
