import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Organisations as customers of the payment provider: plan, checkouts, invoices, and which events were applied. */
export class Billing1767225600016 implements MigrationInterface {
  name = 'Billing1767225600016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "billing_account" (
        "org_id" integer NOT NULL,
        "customer_key" text NOT NULL,
        "customer_id" text,
        "subscription_id" text,
        "plan" jsonb,
        "renews_at" timestamptz,
        "cancels_at" timestamptz,
        "revision" integer NOT NULL DEFAULT 0,
        "checked_at" timestamptz,
        CONSTRAINT "billing_account_pk" PRIMARY KEY ("org_id"),
        CONSTRAINT "billing_account_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX "billing_account_customer_idx" ON "billing_account" ("customer_id")
      WHERE "customer_id" IS NOT NULL`);

    await runner.query(`
      CREATE TABLE "billing_checkout" (
        "session_hash" bytea NOT NULL,
        "org_id" integer NOT NULL,
        "plan_id" text NOT NULL,
        "return_url" text NOT NULL,
        "expires_at" timestamptz NOT NULL,
        CONSTRAINT "billing_checkout_pk" PRIMARY KEY ("session_hash"),
        CONSTRAINT "billing_checkout_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "billing_checkout_org_idx" ON "billing_checkout" ("org_id")`);
    await runner.query(`CREATE INDEX "billing_checkout_expires_idx" ON "billing_checkout" ("expires_at")`);

    await runner.query(`
      CREATE TABLE "billing_event" (
        "org_id" integer NOT NULL,
        "event_id" text NOT NULL,
        "type" text NOT NULL,
        "applied_at" timestamptz NOT NULL,
        CONSTRAINT "billing_event_pk" PRIMARY KEY ("org_id", "event_id"),
        CONSTRAINT "billing_event_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "billing_event_applied_idx" ON "billing_event" ("applied_at")`);

    await runner.query(`
      CREATE TABLE "billing_record" (
        "org_id" integer NOT NULL,
        "invoice_id" text NOT NULL,
        "created_at" timestamptz NOT NULL,
        "period_from" timestamptz NOT NULL,
        "period_until" timestamptz NOT NULL,
        "plan_id" text NOT NULL,
        "plan_name" text NOT NULL,
        "metric_limit" integer NOT NULL,
        "amount" double precision NOT NULL,
        "currency" text NOT NULL,
        "status" text NOT NULL,
        "invoice_url" text,
        CONSTRAINT "billing_record_pk" PRIMARY KEY ("org_id", "invoice_id"),
        CONSTRAINT "billing_record_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['billing_record', 'billing_event', 'billing_checkout', 'billing_account']) {
      await runner.query(`DROP TABLE "${table}"`);
    }
  }
}
