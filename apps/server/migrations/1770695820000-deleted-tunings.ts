import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A tuning that was deleted stays known: deleting it again answers the same record. */
export class DeletedTunings1770695820000 implements MigrationInterface {
  name = 'DeletedTunings1770695820000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "tuning" ADD COLUMN "deleted_at" TIMESTAMP WITH TIME ZONE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM "tuning" WHERE "deleted_at" IS NOT NULL`);
    await runner.query(`ALTER TABLE "tuning" DROP COLUMN "deleted_at"`);
  }
}
