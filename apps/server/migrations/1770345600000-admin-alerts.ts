import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class AdminAlerts1770345600000 implements MigrationInterface {
  name = 'AdminAlerts1770345600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "admin_alert" (
        "org_id" integer NOT NULL,
        "type_id" smallint NOT NULL,
        "enabled" boolean NOT NULL DEFAULT true,
        "email_users" integer array NOT NULL DEFAULT '{}',
        "sms_users" integer array NOT NULL DEFAULT '{}',
        "chat_channel" text NOT NULL DEFAULT '',
        "wait_seconds" integer NOT NULL DEFAULT 300,
        "expiration_seconds" integer NOT NULL DEFAULT 3600,
        "state" text NOT NULL DEFAULT 'ok',
        "since" double precision,
        "is_told" boolean NOT NULL DEFAULT false,
        "last_notified_at" double precision,
        "is_from_outside" boolean NOT NULL DEFAULT false,
        "message" text NOT NULL DEFAULT '',
        "affected_count" integer NOT NULL DEFAULT 0,
        "affected_metrics" text array NOT NULL DEFAULT '{}',
        CONSTRAINT "admin_alert_pk" PRIMARY KEY ("org_id", "type_id"),
        CONSTRAINT "admin_alert_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE "operator_alert" (
        "org_id" integer NOT NULL,
        "since" double precision NOT NULL,
        "last_refused_at" double precision NOT NULL,
        "requests" integer NOT NULL,
        "told_at" double precision,
        CONSTRAINT "operator_alert_pk" PRIMARY KEY ("org_id"),
        CONSTRAINT "operator_alert_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "operator_alert", "admin_alert"`);
  }
}
