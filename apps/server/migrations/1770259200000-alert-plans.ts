import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What is to be decided about alerts, and what was. */
export class AlertPlans1770259200000 implements MigrationInterface {
  name = 'AlertPlans1770259200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "anomaly" ADD COLUMN "quiet" boolean NOT NULL DEFAULT false;

      -- What has happened to anomalies and is not planned yet: written in the transaction of the change, by any writer, and
      -- taken away in the one that plans. Only added to, so that no change can hide another one.
      CREATE TABLE "alert_change" (
        "id" bigint GENERATED ALWAYS AS IDENTITY,
        "org_id" integer NOT NULL,
        "anomaly_id" integer NOT NULL,
        "changed_at" timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT "alert_change_pk" PRIMARY KEY ("id"),
        CONSTRAINT "alert_change_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      );
      CREATE INDEX "alert_change_org_idx" ON "alert_change" ("org_id", "id");
      CREATE FUNCTION "note_alert_change"() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO "alert_change" ("org_id", "anomaly_id") VALUES (NEW."org_id", NEW."id");
        RETURN NULL;
      END $$;
      CREATE TRIGGER "anomaly_opened_alert" AFTER INSERT ON "anomaly" FOR EACH ROW
        WHEN (NOT NEW."backfill") EXECUTE FUNCTION "note_alert_change"();
      CREATE TRIGGER "anomaly_changed_alert" AFTER UPDATE ON "anomaly" FOR EACH ROW
        WHEN (NOT NEW."backfill" AND (OLD."state" <> NEW."state" OR OLD."severity" <> NEW."severity"
          OR OLD."end_timestamp" IS DISTINCT FROM NEW."end_timestamp"
          OR OLD."acknowledged_at" IS DISTINCT FROM NEW."acknowledged_at"))
        EXECUTE FUNCTION "note_alert_change"();

      -- How each subject of alerts stands with each watcher. Times are Unix seconds.
      CREATE TABLE "alert_plan" (
        "id" bigint GENERATED ALWAYS AS IDENTITY,
        "org_id" integer NOT NULL,
        "key" text NOT NULL,
        "watcher_id" integer NOT NULL,
        "incident_id" integer,
        "lead_anomaly_id" integer,
        "phase" text NOT NULL,
        "due_at" double precision,
        "told_at" double precision,
        "ended_at" double precision,
        "severity" smallint NOT NULL,
        "told_metrics" integer[] NOT NULL,
        "state" jsonb NOT NULL,
        "breaches" jsonb,
        "planned_at" double precision NOT NULL,
        CONSTRAINT "alert_plan_pk" PRIMARY KEY ("id"),
        CONSTRAINT "alert_plan_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX "alert_plan_key_idx" ON "alert_plan" ("org_id", "key");
      CREATE INDEX "alert_plan_incident_idx" ON "alert_plan" ("incident_id") WHERE "incident_id" IS NOT NULL;
      CREATE INDEX "alert_plan_lead_idx" ON "alert_plan" ("lead_anomaly_id") WHERE "lead_anomaly_id" IS NOT NULL;
      CREATE INDEX "alert_plan_due_idx" ON "alert_plan" ("due_at") WHERE "due_at" IS NOT NULL;
      CREATE INDEX "alert_plan_open_idx" ON "alert_plan" ("org_id") WHERE "phase" IN ('told', 'acknowledged');
      CREATE INDEX "alert_plan_watcher_idx" ON "alert_plan" ("watcher_id", "told_at") WHERE "told_at" IS NOT NULL;
      CREATE INDEX "alert_plan_planned_idx" ON "alert_plan" ("planned_at");

      -- Incidents that began at the same moment in great number: their messages are one.
      CREATE TABLE "alert_burst" (
        "incident_id" integer NOT NULL,
        "org_id" integer NOT NULL,
        "burst_id" integer NOT NULL,
        "joined_at" double precision NOT NULL,
        CONSTRAINT "alert_burst_pk" PRIMARY KEY ("incident_id"),
        CONSTRAINT "alert_burst_incident_fk" FOREIGN KEY ("incident_id") REFERENCES "incident" ("id") ON DELETE CASCADE,
        CONSTRAINT "alert_burst_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      );
      CREATE INDEX "alert_burst_org_idx" ON "alert_burst" ("org_id", "joined_at");
      CREATE INDEX "alert_burst_burst_idx" ON "alert_burst" ("burst_id");
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER "anomaly_changed_alert" ON "anomaly";
      DROP TRIGGER "anomaly_opened_alert" ON "anomaly";
      DROP TABLE "alert_burst", "alert_plan", "alert_change";
      DROP FUNCTION "note_alert_change";
      ALTER TABLE "anomaly" DROP COLUMN "quiet"`);
  }
}
