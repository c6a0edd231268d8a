import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A breach also ends when its metric leaves its watcher; the change says why. */
export class BreachesThatEndOtherwise1770518460000 implements MigrationInterface {
  name = 'BreachesThatEndOtherwise1770518460000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "threshold_change" ADD COLUMN "departure" text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "threshold_change" DROP COLUMN "departure"`);
  }
}
