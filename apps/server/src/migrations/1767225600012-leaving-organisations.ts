import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Organisations that are being erased, those that are deleted after a while, and the series they leave behind. */
export class LeavingOrganisations1767225600012 implements MigrationInterface {
  name = 'LeavingOrganisations1767225600012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "org"
        ADD COLUMN "deleted_at" timestamptz,
        ADD COLUMN "wipe_at" timestamptz`);
    await runner.query(`
      CREATE INDEX "org_leaving_idx" ON "org" ("id") WHERE "deleted_at" IS NOT NULL OR "wipe_at" IS NOT NULL`);
    // No foreign keys: when a row is made its metric is gone, and soon its organisation is too.
    await runner.query(`
      CREATE TABLE "leaving_series" (
        "metric_id" integer NOT NULL,
        "erase_at" timestamptz NOT NULL,
        "is_last" boolean NOT NULL,
        CONSTRAINT "leaving_series_pk" PRIMARY KEY ("metric_id")
      )`);
    await runner.query(`CREATE INDEX "leaving_series_erase_idx" ON "leaving_series" ("erase_at")`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "leaving_series"`);
    await runner.query(`DROP INDEX "org_leaving_idx"`);
    await runner.query(`ALTER TABLE "org" DROP COLUMN "deleted_at", DROP COLUMN "wipe_at"`);
  }
}
