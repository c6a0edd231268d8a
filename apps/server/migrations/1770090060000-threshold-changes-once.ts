import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A breach that is written again, as after a commit whose answer was lost, is the same row. */
export class ThresholdChangesOnce1770090060000 implements MigrationInterface {
  name = 'ThresholdChangesOnce1770090060000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE UNIQUE INDEX "threshold_change_once_uq" ON "threshold_change" ("watcher_id", "metric_id", "timestamp", "type")`,
    );
    await runner.query(`DROP INDEX "threshold_change_watcher_idx"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX "threshold_change_watcher_idx" ON "threshold_change" ("watcher_id")`);
    await runner.query(`DROP INDEX "threshold_change_once_uq"`);
  }
}
