import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What an alert is about stands in one row of it: in a storm there are hundreds of alerts about thousands of metrics. */
export class AlertSubjectsAsLists1770518400000 implements MigrationInterface {
  name = 'AlertSubjectsAsLists1770518400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "alert_subject" RENAME TO "alert_subject_row";
      ALTER INDEX "alert_subject_pk" RENAME TO "alert_subject_row_pk";
      ALTER INDEX "alert_subject_anomaly_idx" RENAME TO "alert_subject_row_anomaly_idx";
      -- Sorted, each id once; anomaly 0: a threshold.
      CREATE TABLE "alert_subject" (
        "alert_id" integer NOT NULL,
        "metric_ids" integer[] NOT NULL,
        "anomaly_ids" integer[] NOT NULL,
        CONSTRAINT "alert_subject_pk" PRIMARY KEY ("alert_id"),
        CONSTRAINT "alert_subject_alert_fk" FOREIGN KEY ("alert_id") REFERENCES "alert" ("id") ON DELETE CASCADE
      );
      INSERT INTO "alert_subject"
        SELECT "alert_id", array_agg(DISTINCT "metric_id" ORDER BY "metric_id"),
               array_agg(DISTINCT "anomaly_id" ORDER BY "anomaly_id")
        FROM "alert_subject_row" GROUP BY "alert_id";
      CREATE INDEX "alert_subject_anomaly_idx" ON "alert_subject" USING gin ("anomaly_ids");
      DROP TABLE "alert_subject_row"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE "alert_subject" RENAME TO "alert_subject_list";
      ALTER INDEX "alert_subject_pk" RENAME TO "alert_subject_list_pk";
      ALTER INDEX "alert_subject_anomaly_idx" RENAME TO "alert_subject_list_anomaly_idx";
      CREATE TABLE "alert_subject" (
        "alert_id" integer NOT NULL,
        "metric_id" integer NOT NULL,
        "anomaly_id" integer NOT NULL,
        CONSTRAINT "alert_subject_pk" PRIMARY KEY ("alert_id", "metric_id", "anomaly_id"),
        CONSTRAINT "alert_subject_alert_fk" FOREIGN KEY ("alert_id") REFERENCES "alert" ("id") ON DELETE CASCADE
      );
      INSERT INTO "alert_subject"
        SELECT DISTINCT l."alert_id", n."metric_id", coalesce(a."id", 0)
        FROM "alert_subject_list" l CROSS JOIN LATERAL unnest(l."metric_ids") AS n ("metric_id")
        LEFT JOIN "anomaly" a ON a."metric_id" = n."metric_id" AND a."id" = ANY(l."anomaly_ids");
      CREATE INDEX "alert_subject_anomaly_idx" ON "alert_subject" ("anomaly_id") WHERE "anomaly_id" > 0;
      CREATE INDEX "alert_subject_metric_idx" ON "alert_subject" ("metric_id");
      DROP TABLE "alert_subject_list"`);
  }
}
