import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A checkout that was opened for an organisation. Only these are asked about when a browser comes back. */
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
