import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type BillingStatus } from './billing.types.js';

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

  /** Empty for what is no plan of this installation. */
  @Column('text', { name: 'plan_id' })
  planId!: string;

  @Column('text', { name: 'plan_name' })
  planName!: string;

  /** 0 for what is no plan of this installation. */
  @Column('integer', { name: 'metric_limit' })
  metricLimit!: number;

  /** Minor units; whole, and more than an integer holds in some currencies. */
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
