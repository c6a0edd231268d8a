import { type SchemaPart } from './schema-part.js';

/** Organisations as customers of the payment provider, and the organisations that visitors may look at. */
export const BILLING_AND_DEMO: SchemaPart = {
  create: `
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
    );
    CREATE UNIQUE INDEX "billing_account_customer_idx" ON "billing_account" ("customer_id")
      WHERE "customer_id" IS NOT NULL;

    CREATE TABLE "billing_checkout" (
      "session_hash" bytea NOT NULL,
      "org_id" integer NOT NULL,
      "plan_id" text NOT NULL,
      "return_url" text NOT NULL,
      "expires_at" timestamptz NOT NULL,
      CONSTRAINT "billing_checkout_pk" PRIMARY KEY ("session_hash"),
      CONSTRAINT "billing_checkout_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
    );
    CREATE INDEX "billing_checkout_org_idx" ON "billing_checkout" ("org_id");
    CREATE INDEX "billing_checkout_expires_idx" ON "billing_checkout" ("expires_at");

    -- Events of the provider that were applied.
    CREATE TABLE "billing_event" (
      "org_id" integer NOT NULL,
      "event_id" text NOT NULL,
      "type" text NOT NULL,
      "applied_at" timestamptz NOT NULL,
      CONSTRAINT "billing_event_pk" PRIMARY KEY ("org_id", "event_id"),
      CONSTRAINT "billing_event_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
    );
    CREATE INDEX "billing_event_applied_idx" ON "billing_event" ("applied_at");

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
    );

    CREATE TABLE "demo_org" (
      "org_id" integer NOT NULL,
      "theme" text NOT NULL,
      "seed" jsonb NOT NULL,
      "reset_at" timestamptz NOT NULL,
      CONSTRAINT "demo_org_pk" PRIMARY KEY ("org_id"),
      CONSTRAINT "demo_org_theme_uq" UNIQUE ("theme"),
      CONSTRAINT "demo_org_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
    );
    CREATE TABLE "demo_visitor" (
      "user_id" integer NOT NULL,
      "org_id" integer NOT NULL,
      "email" text,
      "consented_at" timestamptz NOT NULL,
      CONSTRAINT "demo_visitor_pk" PRIMARY KEY ("user_id"),
      CONSTRAINT "demo_visitor_user_fk" FOREIGN KEY ("user_id") REFERENCES "user_account" ("id") ON DELETE CASCADE,
      CONSTRAINT "demo_visitor_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
    );
    CREATE INDEX "demo_visitor_org_idx" ON "demo_visitor" ("org_id");`,

  drop: `
    DROP TABLE "demo_visitor", "demo_org", "billing_record", "billing_event", "billing_checkout", "billing_account"`,
};
