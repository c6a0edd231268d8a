import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Mails that wait for the mail server. */
export class MailOutbox1767225600010 implements MigrationInterface {
  name = 'MailOutbox1767225600010';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "mail_outbox" (
        "id" uuid NOT NULL,
        "org_id" integer,
        "key" text,
        "sealed" text,
        "created_at" timestamptz NOT NULL,
        "due_at" timestamptz NOT NULL,
        "useless_at" timestamptz,
        "tries" integer NOT NULL DEFAULT 0,
        CONSTRAINT "mail_outbox_pk" PRIMARY KEY ("id"),
        CONSTRAINT "mail_outbox_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "mail_outbox_due_idx" ON "mail_outbox" ("due_at") WHERE "sealed" IS NOT NULL`);
    await runner.query(`CREATE INDEX "mail_outbox_org_idx" ON "mail_outbox" ("org_id") WHERE "org_id" IS NOT NULL`);
    await runner.query(`CREATE UNIQUE INDEX "mail_outbox_key_idx" ON "mail_outbox" ("key") WHERE "key" IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "mail_outbox"`);
  }
}
