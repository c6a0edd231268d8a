import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Organisations that are being erased, and those that may be erased after a while. */
export class LeavingOrganisations1767225600012 implements MigrationInterface {
  name = 'LeavingOrganisations1767225600012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "org"
        ADD COLUMN "deleted_at" timestamptz,
        ADD COLUMN "wipe_at" timestamptz`);
    await runner.query(`
      CREATE INDEX "org_leaving_idx" ON "org" ("id") WHERE "deleted_at" IS NOT NULL OR "wipe_at" IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX "org_leaving_idx"`);
    await runner.query(`ALTER TABLE "org" DROP COLUMN "deleted_at", DROP COLUMN "wipe_at"`);
  }
}
