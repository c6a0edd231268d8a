import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Until when the rows of an anomaly were out of range, known before it closes: watchers that wait for a least duration do not count
 * the way back. Alerts are looked at again when it changes.
 */
export class HowLongAnomaliesLast1770777660000 implements MigrationInterface {
  name = 'HowLongAnomaliesLast1770777660000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "anomaly" ADD COLUMN "out_until_timestamp" double precision;
      DROP TRIGGER "anomaly_changed_alert" ON "anomaly";
      CREATE TRIGGER "anomaly_changed_alert" AFTER UPDATE ON "anomaly" FOR EACH ROW
        WHEN (NOT NEW."backfill" AND (OLD."state" <> NEW."state" OR OLD."severity" <> NEW."severity"
          OR OLD."end_timestamp" IS DISTINCT FROM NEW."end_timestamp"
          OR OLD."out_until_timestamp" IS DISTINCT FROM NEW."out_until_timestamp"
          OR OLD."acknowledged_at" IS DISTINCT FROM NEW."acknowledged_at"))
        EXECUTE FUNCTION "note_alert_change"();`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER "anomaly_changed_alert" ON "anomaly";
      CREATE TRIGGER "anomaly_changed_alert" AFTER UPDATE ON "anomaly" FOR EACH ROW
        WHEN (NOT NEW."backfill" AND (OLD."state" <> NEW."state" OR OLD."severity" <> NEW."severity"
          OR OLD."end_timestamp" IS DISTINCT FROM NEW."end_timestamp"
          OR OLD."acknowledged_at" IS DISTINCT FROM NEW."acknowledged_at"))
        EXECUTE FUNCTION "note_alert_change"();
      ALTER TABLE "anomaly" DROP COLUMN "out_until_timestamp";`);
  }
}
