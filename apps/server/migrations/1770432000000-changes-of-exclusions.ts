import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Exclusions can be changed, which other processes must notice; sessions say where they began. */
export class ChangesOfExclusions1770432000000 implements MigrationInterface {
  name = 'ChangesOfExclusions1770432000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "exclusion" ADD COLUMN "revision" integer NOT NULL DEFAULT 0`);
    await runner.query(`ALTER TABLE "session" ADD COLUMN "address" text, ADD COLUMN "client" text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "session" DROP COLUMN "client", DROP COLUMN "address"`);
    await runner.query(`ALTER TABLE "exclusion" DROP COLUMN "revision"`);
  }
}
