import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How long points are kept is said by organisations: no time is the boundary of tier 1 for all series. */
export class Retention1767225600014 implements MigrationInterface {
  name = 'Retention1767225600014';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "series_state" DROP COLUMN "tier_1_from"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "series_state" ADD COLUMN "tier_1_from" bigint NOT NULL DEFAULT 0`);
  }
}
