import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Plan } from './plan.types.js';

/** An organisation as the payment provider knows it; made at its first checkout. */
@Entity('billing_account')
@Index('billing_account_customer_idx', ['customerId'], { unique: true, where: '"customer_id" IS NOT NULL' })
export class BillingAccountEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'billing_account_pk' })
  @ForeignKey('org', { name: 'billing_account_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** Sent with the request that makes the customer, so that asking again makes no second one. */
  @Column('text', { name: 'customer_key' })
  customerKey!: string;

  /** The provider's id; null until the customer is made. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId!: string | null;

  /** The subscription that the plan comes from; null without plan. */
  @Column('text', { name: 'subscription_id', nullable: true })
  subscriptionId!: string | null;

  /** As it was when the provider was asked last; null without plan. */
  @Column('jsonb', { name: 'plan', nullable: true })
  plan!: Plan | null;

  /** When the next period begins; null when none will. */
  @Column('timestamptz', { name: 'renews_at', nullable: true })
  renewsAt!: Date | null;

  /** When the subscription ends; null when it goes on. */
  @Column('timestamptz', { name: 'cancels_at', nullable: true })
  cancelsAt!: Date | null;

  /** Rises with every answer of the provider that was written: an older answer never replaces a newer one. */
  @Column('integer', { name: 'revision', default: 0 })
  revision!: number;

  /** When the provider was asked last. */
  @Column('timestamptz', { name: 'checked_at', nullable: true })
  checkedAt!: Date | null;
}
