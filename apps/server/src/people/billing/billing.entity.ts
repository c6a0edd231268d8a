import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Plan } from './plan.types.js';
import { type BillingStatus } from './billing.types.js';

/** Customer record of an organisation at the payment provider; created at its first checkout. */
@Entity('billing_account')
@Index('billing_account_customer_idx', ['customerId'], { unique: true, where: '"customer_id" IS NOT NULL' })
export class BillingAccountEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'billing_account_pk' })
  @ForeignKey('org', { name: 'billing_account_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** Idempotency key of the request that creates the customer: a retry creates no second one. */
  @Column('text', { name: 'customer_key' })
  customerKey!: string;

  /** The provider's id; null until the customer is created. */
  @Column('text', { name: 'customer_id', nullable: true })
  customerId!: string | null;

  /** The subscription of the plan; null without plan. */
  @Column('text', { name: 'subscription_id', nullable: true })
  subscriptionId!: string | null;

  /** State at the last request to the provider; null without plan. */
  @Column('jsonb', { name: 'plan', nullable: true })
  plan!: Plan | null;

  /** Start of the next period; null if there is none. */
  @Column('timestamptz', { name: 'renews_at', nullable: true })
  renewsAt!: Date | null;

  /** End of the subscription; null if it continues. */
  @Column('timestamptz', { name: 'cancels_at', nullable: true })
  cancelsAt!: Date | null;

  /** Incremented with every stored answer of the provider: an older answer never replaces a newer one. */
  @Column('integer', { name: 'revision', default: 0 })
  revision!: number;

  /** Time of the last request to the provider. */
  @Column('timestamptz', { name: 'checked_at', nullable: true })
  checkedAt!: Date | null;
}

/** A checkout that was opened for an organisation. Only these are accepted when a browser returns. */
@Entity('billing_checkout')
@Index('billing_checkout_expires_idx', ['expiresAt'])
export class BillingCheckoutEntity {
  /** SHA-256 of the provider's id, which is long and random: only the browser of the checkout has it. */
  @PrimaryColumn('bytea', { name: 'session_hash', primaryKeyConstraintName: 'billing_checkout_pk' })
  sessionHash!: Buffer;

  @Index('billing_checkout_org_idx')
  @ForeignKey('org', { name: 'billing_checkout_org_fk', onDelete: 'CASCADE' })
  @Column('integer', { name: 'org_id' })
  orgId!: number;

  @Column('text', { name: 'plan_id' })
  planId!: string;

  /** Page of the console that the browser returns to. */
  @Column('text', { name: 'return_url' })
  returnUrl!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}

/** A message of the payment provider that has been processed. */
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

/** An invoice, with the plan as it was when the invoice was first seen. */
@Entity('billing_record')
export class BillingRecordEntity {
  @PrimaryColumn('integer', { name: 'org_id', primaryKeyConstraintName: 'billing_record_pk' })
  @ForeignKey('org', { name: 'billing_record_org_fk', onDelete: 'CASCADE' })
  orgId!: number;

  /** The provider's id. */
  @PrimaryColumn('text', { name: 'invoice_id', primaryKeyConstraintName: 'billing_record_pk' })
  invoiceId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'period_from' })
  periodFrom!: Date;

  @Column('timestamptz', { name: 'period_until' })
  periodUntil!: Date;

  /** Empty if it is not a plan of this installation. */
  @Column('text', { name: 'plan_id' })
  planId!: string;

  @Column('text', { name: 'plan_name' })
  planName!: string;

  /** 0 if it is not a plan of this installation. */
  @Column('integer', { name: 'metric_limit' })
  metricLimit!: number;

  /** Minor units, a whole number; in some currencies it exceeds the range of an integer. */
  @Column('double precision', { name: 'amount' })
  amount!: number;

  /** ISO 4217, upper case. */
  @Column('text', { name: 'currency' })
  currency!: string;

  @Column('text', { name: 'status' })
  status!: BillingStatus;

  @Column('text', { name: 'invoice_url', nullable: true })
  invoiceUrl!: string | null;
}
