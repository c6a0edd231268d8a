import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A message of the payment provider that has been acted upon. */
@Entity('billing_event')
@Index('billing_event_applied_idx', ['appliedAt'])
export class BillingEventEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'billing_event_pk' })
  @ForeignKey('org', { name: 'billing_event_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** The provider's id. */
  @PrimaryColumn('text', { name: 'event_id', primaryKeyConstraintName: 'billing_event_pk' })
  eventId!: string;

  @Column('text', { name: 'type' })
  type!: string;

  @Column('timestamptz', { name: 'applied_at' })
  appliedAt!: Date;
}
