import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A verdict on a match can be taken back: it says which patterns it has disabled. */
export class VerdictsOnMatches1770604800000 implements MigrationInterface {
  name = 'VerdictsOnMatches1770604800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "pattern_match" ADD COLUMN "disabled_pattern_ids" integer[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "pattern_match" DROP COLUMN "disabled_pattern_ids"`);
  }
}
