import { type MigrationInterface, type QueryRunner } from 'typeorm';

export class Benchmarks1768003200000 implements MigrationInterface {
  name = 'Benchmarks1768003200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "benchmark" (
        "key" text NOT NULL,
        "org_id" integer,
        "party" text,
        "holder" text,
        "place" smallint,
        "name" text NOT NULL,
        "status" text NOT NULL,
        "message" text NOT NULL DEFAULT '',
        "created_at" timestamptz NOT NULL,
        "started_at" timestamptz,
        "finished_at" timestamptz,
        "beat_at" timestamptz,
        "tries" smallint NOT NULL DEFAULT 0,
        "email" text,
        "mailed" boolean NOT NULL DEFAULT false,
        "models" jsonb NOT NULL,
        "labels" jsonb NOT NULL,
        "is_counter" boolean NOT NULL,
        "timezone" text NOT NULL,
        "slot_seconds" integer NOT NULL,
        "resolution_seconds" integer NOT NULL,
        "points_count" integer NOT NULL,
        "from_at" timestamptz NOT NULL,
        "until_at" timestamptz NOT NULL,
        "series" bytea,
        CONSTRAINT "benchmark_pk" PRIMARY KEY ("key"),
        CONSTRAINT "benchmark_org_fk" FOREIGN KEY ("org_id") REFERENCES "org" ("id") ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX "benchmark_org_idx" ON "benchmark" ("org_id") WHERE "org_id" IS NOT NULL`);
    await runner.query(
      `CREATE UNIQUE INDEX "benchmark_place_uq" ON "benchmark" ("holder", "place") WHERE "place" IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX "benchmark_waiting_idx" ON "benchmark" ("created_at") WHERE "status" IN ('queued', 'running')`,
    );
    await runner.query(`
      CREATE TABLE "benchmark_result" (
        "benchmark_key" text NOT NULL,
        "model" text NOT NULL,
        "columns" bytea NOT NULL,
        "anomalies" jsonb NOT NULL,
        CONSTRAINT "benchmark_result_pk" PRIMARY KEY ("benchmark_key", "model"),
        CONSTRAINT "benchmark_result_benchmark_fk" FOREIGN KEY ("benchmark_key")
          REFERENCES "benchmark" ("key") ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE "benchmark_result"`);
    await runner.query(`DROP TABLE "benchmark"`);
  }
}
