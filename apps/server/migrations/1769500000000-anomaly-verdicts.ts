import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class AnomalyVerdicts1769500000000 implements MigrationInterface {
  name = 'AnomalyVerdicts1769500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "anomaly_verdict" (
        "anomaly_id" integer NOT NULL,
        "metric_id" integer NOT NULL,
        "start_timestamp" double precision NOT NULL,
        "detector_version" integer NOT NULL,
        "is_due" boolean NOT NULL,
        "parameters" jsonb,
        "from_timestamp" double precision,
        "until_timestamp" double precision,
        "is_reproduced" boolean,
        "parts" jsonb,
        "counterfactual" jsonb,
        "shape" real[],
        "look_alike_id" integer,
        "look_alike_similarity" real,
        "explanation" jsonb NOT NULL DEFAULT '[]',
        CONSTRAINT "anomaly_verdict_pk" PRIMARY KEY ("anomaly_id"),
        CONSTRAINT "anomaly_verdict_anomaly_fk" FOREIGN KEY ("anomaly_id") REFERENCES "anomaly" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "anomaly_verdict_due_idx" ON "anomaly_verdict" ("anomaly_id") WHERE "is_due"`);
    await runner.query(
      `CREATE INDEX "anomaly_verdict_shape_idx" ON "anomaly_verdict" ("metric_id", "start_timestamp") WHERE "shape" IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "anomaly_verdict"`);
  }
}
