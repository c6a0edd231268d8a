import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Organisations as customers of the payment provider: plan, checkouts, invoices, and which events were heard. */
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
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "billing_account"`);
  }
}
