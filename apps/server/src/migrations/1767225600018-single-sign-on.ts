import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Logins by an OpenID Connect provider: those under way, who is who, and addresses that nobody has proven to have. */
export class SingleSignOn1767225600018 implements MigrationInterface {
  name = 'SingleSignOn1767225600018';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user_account" ADD COLUMN "email_unproven" boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE TABLE "sso_login" (
        "state_hash" bytea NOT NULL,
        "browser_hash" bytea NOT NULL,
        "sealed" text NOT NULL,
        "expires_at" timestamptz NOT NULL,
        CONSTRAINT "sso_login_pk" PRIMARY KEY ("state_hash")
      )`);
    await runner.query(`CREATE INDEX "sso_login_expires_idx" ON "sso_login" ("expires_at")`);

    await runner.query(`
      CREATE TABLE "sso_identity" (
        "issuer" text NOT NULL,
        "subject" text NOT NULL,
        "org_id" integer NOT NULL,
        "user_id" integer NOT NULL,
        "created_at" timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT "sso_identity_pk" PRIMARY KEY ("issuer", "subject"),
        CONSTRAINT "sso_identity_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE,
        CONSTRAINT "sso_identity_user_fk" FOREIGN KEY ("user_id") REFERENCES "user_account" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "sso_identity_user_idx" ON "sso_identity" ("user_id")`);
    await runner.query(`CREATE INDEX "sso_identity_org_idx" ON "sso_identity" ("org_id")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "user_account" DROP COLUMN "email_unproven"`);
    await runner.query(`DROP TABLE "sso_identity"`);
    await runner.query(`DROP TABLE "sso_login"`);
  }
}
