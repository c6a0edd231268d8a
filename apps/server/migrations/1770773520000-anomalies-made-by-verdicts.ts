import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** An anomaly that a verdict on a match has made goes when the verdict is taken back. */
export class AnomaliesMadeByVerdicts1770773520000 implements MigrationInterface {
  name = 'AnomaliesMadeByVerdicts1770773520000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "pattern_match" ADD COLUMN "made_anomaly" boolean NOT NULL DEFAULT false`);
    // One that was there before the match was opened before the check had answered.
    await runner.query(
      `UPDATE "pattern_match" x SET "made_anomaly" = true
       FROM "anomaly" a WHERE a."id" = x."anomaly_id" AND a."quiet" AND a."created_at" > x."created_at"`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "pattern_match" DROP COLUMN "made_anomaly"`);
  }
}
