import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What keeps a metric from being judged. Existing metrics are filled in with their next points. */
export class MetricsThatAreJudged1770785340000 implements MigrationInterface {
  name = 'MetricsThatAreJudged1770785340000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE "metric" ADD COLUMN "values_needed" integer NOT NULL DEFAULT 100, ADD COLUMN "steady_pace" boolean`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "metric" DROP COLUMN "values_needed", DROP COLUMN "steady_pace"`);
  }
}
