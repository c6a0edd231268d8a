import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A metric of which no point was sent live is neither stale nor inactive: its silence means nothing. */
export class MetricsThatHoldHistory1770773460000 implements MigrationInterface {
  name = 'MetricsThatHoldHistory1770773460000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "metric" ADD COLUMN "only_history" boolean NOT NULL DEFAULT false`);
    // Until now a metric whose newest point is older than itself was taken for one.
    await runner.query(
      `UPDATE "metric" SET "only_history" = true WHERE "last_timestamp" < extract(epoch FROM "created_at")`,
    );
    await runner.query(
      `UPDATE "metric_search" s SET "state" = 'active'
       FROM "metric" m WHERE m."id" = s."metric_id" AND m."only_history" AND s."state" IN ('stale', 'inactive')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "metric" DROP COLUMN "only_history"`);
  }
}
