import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Titles of incidents name the peak of an anomaly, so a new peak or another kind changes them. */
export class PeaksInTitles1770815220000 implements MigrationInterface {
  name = 'PeaksInTitles1770815220000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER "anomaly_changed" ON "anomaly";
      CREATE TRIGGER "anomaly_changed" AFTER UPDATE ON "anomaly" FOR EACH ROW
        WHEN (OLD."state" <> NEW."state" OR OLD."severity" <> NEW."severity" OR OLD."score" <> NEW."score"
          OR OLD."kind" <> NEW."kind" OR OLD."peak_value" IS DISTINCT FROM NEW."peak_value"
          OR OLD."end_timestamp" IS DISTINCT FROM NEW."end_timestamp")
        EXECUTE FUNCTION "note_anomaly_change"();
      -- The stored titles of incidents that are still open.
      INSERT INTO "anomaly_change" ("org_id", "anomaly_id")
        SELECT "org_id", "id" FROM "anomaly"
        WHERE "state" = 'open' AND ("kind" IN ('missing_data', 'flatline') OR "peak_value" <> "value")
        ORDER BY "start_timestamp", "id";`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER "anomaly_changed" ON "anomaly";
      CREATE TRIGGER "anomaly_changed" AFTER UPDATE ON "anomaly" FOR EACH ROW
        WHEN (OLD."state" <> NEW."state" OR OLD."severity" <> NEW."severity" OR OLD."score" <> NEW."score"
          OR OLD."end_timestamp" IS DISTINCT FROM NEW."end_timestamp")
        EXECUTE FUNCTION "note_anomaly_change"();`);
  }
}
