import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Links that are mailed to users, and the counters behind the limits. */
export class LinksAndCounts1767225600011 implements MigrationInterface {
  name = 'LinksAndCounts1767225600011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "account_link" (
        "token_hash" bytea NOT NULL,
        "user_id" integer NOT NULL,
        "purpose" text NOT NULL,
        "created_at" timestamptz NOT NULL,
        "expires_at" timestamptz NOT NULL,
        "used_at" timestamptz,
        "tries" smallint NOT NULL DEFAULT 0,
        "payload_sealed" text,
        CONSTRAINT "account_link_pk" PRIMARY KEY ("token_hash"),
        CONSTRAINT "account_link_user_fk" FOREIGN KEY ("user_id") REFERENCES "user_account" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "account_link_user_idx" ON "account_link" ("user_id", "purpose")`);
    await runner.query(`CREATE INDEX "account_link_expires_idx" ON "account_link" ("expires_at")`);

    // No longer failed logins only: every try that is limited over many minutes.
    await runner.query(`ALTER TABLE "login_failure" RENAME TO "attempt_count"`);
    await runner.query(`ALTER TABLE "attempt_count" RENAME CONSTRAINT "login_failure_pk" TO "attempt_count_pk"`);

    // Requests of the current minute: not worth a line in the write-ahead log. Half-full pages keep updates in place.
    // The columns and their order are those that rate-limiter-flexible writes.
    await runner.query(`
      CREATE UNLOGGED TABLE "request_count" (
        "key" varchar(255) NOT NULL,
        "points" integer NOT NULL DEFAULT 0,
        "expire" bigint,
        CONSTRAINT "request_count_pk" PRIMARY KEY ("key")
      ) WITH (fillfactor = 50)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "request_count"`);
    await runner.query(`ALTER TABLE "attempt_count" RENAME CONSTRAINT "attempt_count_pk" TO "login_failure_pk"`);
    await runner.query(`ALTER TABLE "attempt_count" RENAME TO "login_failure"`);
    await runner.query(`DROP TABLE "account_link"`);
  }
}
